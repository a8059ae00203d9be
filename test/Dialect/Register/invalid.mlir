// Programs that are refused, each with its reason and place.
// RUN: forge-opt %s --split-input-file --verify-diagnostics

func.func @not_a_register(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535, but got x0}}
    load x0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @beyond_the_last(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535, but got r65536}}
    load r65536, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @beyond_all_numbers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535, but got r99999999999999999999}}
    load r99999999999999999999, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @padded(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535, but got r01}}
    load r01, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @no_number(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535, but got r}}
    load r, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @number_only(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535}}
    load 0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @generic_number(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{attribute 'dst' failed to satisfy constraint}}
    "register.load"(%b) <{dst = 65536 : i64}> : (!register.buffer) -> ()
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @negative_times(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    store r0, %b
    // expected-error @+1 {{attribute 'times' failed to satisfy constraint}}
    loop -1 {
      neg r0, r0
    }
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c1_no_buffer(%k: index) -> tensor<8xf32> {
  // expected-error @+1 {{expected a tensor among the operands, but got none}}
  %0 = register.program(%n = %k) : (index) -> tensor<8xf32> {
    const r0, 1.0
    end
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c1_integers(%x: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{expected buffers of rank 1 or more of f16, bf16, f32 or f64, but got 'tensor<8xi32>'}}
  %0 = register.program(%b = %x) : (tensor<8xi32>) -> tensor<8xi32> {
    load r0, %b
    store r0, %b
    end %b
  }
  return %0 : tensor<8xi32>
}

// -----

func.func @program_c1_rank(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected buffers of rank 1 or more of f16, bf16, f32 or f64, but got 'tensor<f32>'}}
  %0 = register.program(%b = %x) : (tensor<f32>) -> tensor<f32> {
    load r0, %b
    store r0, %b
    end %b
  }
  return %0 : tensor<f32>
}

// -----

func.func @program_c1_small_floats(%x: tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN> {
  // expected-error @+1 {{expected buffers of rank 1 or more of f16, bf16, f32 or f64, but got 'tensor<8xf8E4M3FN>'}}
  %0 = register.program(%b = %x) : (tensor<8xf8E4M3FN>) -> tensor<8xf8E4M3FN> {
    load r0, %b
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf8E4M3FN>
}

// -----

func.func @program_c1_two_types(%x: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected buffers of one type, but got 'tensor<8xf32>' and 'tensor<?xf32>'}}
  %0 = register.program(%a = %x, %b = %y) : (tensor<8xf32>, tensor<?xf32>) -> tensor<8xf32> {
    load r0, %b
    store r0, %a
    end %a
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c2_count(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected an argument of the region for each operand, but got 2 for 1}}
  %0 = "register.program"(%x) ({
  ^bb0(%b: !register.buffer, %c: !register.buffer):
    "register.load"(%b) <{dst = 0 : i64}> : (!register.buffer) -> ()
    "register.store"(%b) <{src = 0 : i64}> : (!register.buffer) -> ()
    "register.end"(%b) : (!register.buffer) -> ()
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c2_type(%x: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  // expected-error @+1 {{expected argument 1 of the region to be of type index, but got '!register.buffer'}}
  %0 = "register.program"(%x, %k) ({
  ^bb0(%b: !register.buffer, %c: !register.buffer):
    "register.load"(%b) <{dst = 0 : i64}> : (!register.buffer) -> ()
    "register.store"(%b) <{src = 0 : i64}> : (!register.buffer) -> ()
    "register.end"(%b) : (!register.buffer) -> ()
  }) : (tensor<8xf32>, index) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c3_no_end(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected 'register.end' at the end of the program}}
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    store r0, %b
    llvm.unreachable
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c3_end_names_none(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    store r0, %b
    // expected-error @+1 {{expected a buffer or more, but got none}}
    end
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c3_count(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    store r0, %b
    // expected-error @+1 {{expected a buffer for each of the 1 results, but got 2}}
    end %b, %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c3_type(%x: tensor<8xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected results of the type of the buffers, 'tensor<8xf32>', but got 'tensor<?xf32>'}}
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<?xf32> {
    load r0, %b
    store r0, %b
    end %b
  }
  return %0 : tensor<?xf32>
}

// -----

func.func @program_c4(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    // expected-error @+1 {{expected a store to buffer 0, but got none}}
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c5_other_dialects(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    store r0, %b
    // expected-error @+1 {{expected instructions in a program, but got 'arith.constant'}}
    %c = arith.constant 1 : index
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c6(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected r1 to be written before it is read}}
    neg r0, r1
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c6_right_operand(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    // expected-error @+1 {{expected r7 to be written before it is read}}
    add r0, r0, r7
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c6_loops_may_not_run(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-note @+1 {{it is written in this loop}}
    loop 3 {
      load r0, %b
    }
    // expected-error @+1 {{expected r0 to be written before it is read, but it is written in a loop only, and loops count as run zero times or more}}
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

// The outer loop ends, and what the inner one wrote is not written behind it; in the next loop neither.
func.func @program_c6_inner_loop(%x: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %0 = register.program(%b = %x, %n = %k) : (tensor<8xf32>, index) -> tensor<8xf32> {
    load r0, %b
    loop 2 {
      // expected-note @+1 {{it is written in this loop}}
      loop %n {
        sin r1, r0
        neg r1, r1
      }
    }
    loop %n {
      // expected-error @+1 {{expected r1 to be written before it is read, but it is written in a loop only}}
      add r0, r0, r1
    }
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

// Later in the same loop is too late for the first time.
func.func @program_c6_later_in_the_loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    loop 2 {
      // expected-error @+1 {{expected r1 to be written before it is read}}
      add r0, r0, r1
      sin r1, r0
    }
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @no_times(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    store r0, %b
    // expected-error @+1 {{expected a number of times, or an argument of the program for it}}
    loop {
      neg r0, r0
    }
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @loop_c1_none(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    // expected-error @+1 {{expected a number of times, written or an argument of the program, but got none}}
    "register.loop"() ({
      "register.neg"() <{dst = 0 : i64, src = 0 : i64}> : () -> ()
    }) : () -> ()
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @loop_c1_both(%x: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %0 = register.program(%b = %x, %n = %k) : (tensor<8xf32>, index) -> tensor<8xf32> {
    load r0, %b
    // expected-error @+1 {{expected a number of times, written or an argument of the program, but got both}}
    "register.loop"(%n) <{times = 2 : i64}> ({
      "register.neg"() <{dst = 0 : i64, src = 0 : i64}> : () -> ()
    }) : (index) -> ()
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @outside(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expects parent op to be one of 'register.program, register.loop'}}
  register.neg r0, r0
  return %x : tensor<8xf32>
}

// -----

func.func @isolated(%x: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    // expected-error @+1 {{expected an argument of the program, %b, but got %k}}
    loop %k {
      neg r0, r0
    }
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @program_c5_depth(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    load r0, %b
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    loop 1 {
    // expected-error @+1 {{expected at most 64 loops within each other}}
    loop 1 {
    neg r0, r0
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    }
    store r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @negative_register(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535, but got r-1}}
    load r-1, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @spaced_register(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535, but got r 7}}
    load r 7, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @operand_as_register(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a register, r0 to r65535}}
    load %b, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @no_argument(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected an argument of the program, %b, but got %c}}
    load r0, %c
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @part_of_an_argument(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected an argument of the program, %b, but got %b#1}}
    store r0, %b#1
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @no_buffer(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a buffer, which is an argument of the program}}
    load r0, b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @end_of_no_argument(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected an argument of the program, %b, but got %z}}
    end %z
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @times_of_no_argument(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected an argument of the program, %b, but got %k}}
    loop %k {
    }
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @const_nan(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{expected a number with a point, as 1.0 or -2.5e-3, or the bits of an f64, as 0x7FF0000000000000 for infinity and 0x7FF8000000000000 for NaN, but got nan}}
    const r0, nan
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @const_infinity(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{for NaN, but got -inf}}
    const r0, -inf
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @const_text(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{for NaN, but got "1.0"}}
    const r0, "1.0"
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @const_operand(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{for NaN, but got %b}}
    const r0, %b
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @const_negative_whole(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{for NaN, but got -1}}
    const r0, -1
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @const_two_signs(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{for NaN, but got --}}
    const r0, --1.0
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @const_elements(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{for NaN, but got dense}}
    const r0, dense<1.0>
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @const_whole(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = register.program(%b = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+2 {{unexpected decimal integer literal for a floating point value}}
    // expected-note @+1 {{add a trailing dot to make the literal a float}}
    const r0, 1
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @two_arguments(%x: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %0 = register.program(%b = %x, %n = %k) : (tensor<8xf32>, index) -> tensor<8xf32> {
    // expected-error @+1 {{expected an argument of the program, %b or %n, but got %x}}
    load r0, %x
    end %b
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @no_arguments() -> tensor<8xf32> {
  %0 = register.program() : () -> tensor<8xf32> {
    // expected-error @+1 {{expected an argument of the program, which has none, but got %x}}
    load r0, %x
    end
  }
  return %0 : tensor<8xf32>
}
