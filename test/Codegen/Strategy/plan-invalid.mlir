// What is no plan is refused at the module.
// RUN: forge-opt %s --split-input-file --forge-schedule-kernels="chip=gfx942" --verify-diagnostics

// expected-error @below {{as forge.plan, but got 4 : i64}}
module attributes {forge.plan = 4} {}

// -----

// expected-error @below {{expected chips with kernels, each {place = loc(...), schedule = #forge.schedule<...>}, as forge.plan, but got {}}}
module attributes {forge.plan = {}} {}

// -----

// expected-error @below {{but got {gfx942 = {}}}}
module attributes {forge.plan = {gfx942 = {}}} {}

// -----

// expected-error @below {{but got {gfx942 = {"0" = {schedule = #forge.schedule<>}}}}}
module attributes {forge.plan = {gfx942 = {"0" = {schedule = #forge.schedule<>}}}} {}

// -----

// expected-error @below {{but got {gfx942 = {"0" = {place =}}
module attributes {forge.plan = {gfx942 = {"0" = {place = loc("p"), schedule = 4}}}} {}
