// RUN: forge-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{unknown field 'stage' of a schedule, expected one of strategy, m, n, k,}}
func.func private @unknown() attributes {forge.schedule = #forge.schedule<stage = 4>}

// -----

// expected-error @below {{expected a word for field 'strategy' of a schedule, but got 4}}
func.func private @word() attributes {forge.schedule = #forge.schedule<strategy = 4>}

// -----

// expected-error @below {{expected an integer for field 'stages' of a schedule, but got true}}
func.func private @flag() attributes {forge.schedule = #forge.schedule<stages = true>}

// -----

// expected-error @below {{expected 0 to 9223372036854775807 for field 'tile' of a schedule, but got -1}}
func.func private @sizes() attributes {forge.schedule = #forge.schedule<tile = [8, -1]>}

// -----

// expected-error @below {{integer value too large}}
func.func private @large() attributes {forge.schedule = #forge.schedule<m = 99999999999999999999>}

// -----

// expected-error @below {{expected '='}}
func.func private @equal() attributes {forge.schedule = #forge.schedule<strategy>}

// -----

// expected-error @below {{expected a schedule as forge.fallback_schedule, as in #forge.schedule<strategy = rows>, but got 1 : i64}}
func.func private @fallback() attributes {forge.fallback_schedule = 1}
