// RUN: forge-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected a dimension, x, y, z or w, with a power of two, or _, but got x3}}
#a = #tile.layout<reg = [x3], lane = [], warp = []>

// -----
// expected-error @below {{expected a dimension, x, y, z or w, with a power of two, or _, but got v1}}
#a = #tile.layout<reg = [v1], lane = [], warp = []>

// -----
// expected-error @below {{expected a dimension, x, y, z or w, with a power of two, or _, but got x99999999999999999999}}
#a = #tile.layout<reg = [x99999999999999999999], lane = [], warp = []>

// -----
// expected-error @below {{expected x1 once}}
#a = #tile.layout<reg = [x1], lane = [x1], warp = []>

// -----
// expected-error @below {{expected y2 below the other steps of y}}
#a = #tile.layout<reg = [y1], lane = [y4], warp = []>

// -----
// Not taken for the continuation of atoms.
// expected-error @below {{expected y1 below the other steps of y}}
#a = #tile.layout<reg = [y2], lane = [], warp = []>

// -----
// expected-error @below {{expected _ among lane or warp entries only}}
#a = #tile.layout<reg = [_], lane = [], warp = []>

// -----
// expected-error @below {{expected at most 6 lane entries, but got 7}}
#a = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16, x32, x64], warp = []>

// -----
// expected-error @below {{expected at most 5 warp entries, but got 6}}
#a = #tile.layout<reg = [], lane = [], warp = [_, _, _, _, _, _]>

// -----
// expected-error @below {{expected at most 10 register entries, but got 11}}
#a = #tile.layout<reg = [x1, x2, x4, x8, x16, x32, x64, x128, x256, x512, x1024], lane = [], warp = []>

// -----
// expected-error @below {{expected a rank from 2 to 4, but got 1}}
#a = #tile.layout<reg = [y1], lane = [], warp = [], rank = 1>

// -----
// expected-error @below {{expected a rank from 0 to 4, but got 5}}
#a = #tile.layout<reg = [], lane = [], warp = [], rank = 5>

// -----
#a = #tile.layout<reg = [y1], lane = [x1, x2], warp = []>
// expected-error @below {{expected a tile of rank 2 as its layout, but got rank 1}}
func.func private @rank(tensor<4xf32, #a>)

// -----
#a = #tile.layout<reg = [y1], lane = [x1, x2], warp = []>
// expected-error @below {{expected a multiple of 4, the layout's, in dimension 0, but got 6}}
func.func private @multiple(tensor<6x2xf32, #a>)

// -----
#a = #tile.layout<reg = [y1], lane = [x1, x2], warp = []>
// expected-error @below {{expected a multiple of 4, the layout's, in dimension 0, but got 0}}
func.func private @none(tensor<0x2xf32, #a>)

// -----
#a = #tile.layout<reg = [y1], lane = [x1, x2], warp = []>
// expected-error @below {{expected a tile of static shape}}
func.func private @dynamic(tensor<4x?xf32, #a>)

// -----
#a = #tile.layout<reg = [], lane = [x1, x2], warp = [], rank = 2>
// expected-error @below {{expected a tile of integers or floats, but got elements of type 'complex<f32>'}}
func.func private @element(tensor<4x1xcomplex<f32>, #a>)

// -----
#a = #tile.layout<reg = [], lane = [x1, x2], warp = [], rank = 2>
// expected-error @below {{expected at most 1024 elements a thread, but got 1025}}
func.func private @large(tensor<4x1025xf32, #a>)

// -----
#a = #tile.layout<reg = [], lane = [], warp = [], rank = 3>
// expected-error @below {{expected at most 1024 elements a thread, but got 9223372036854775807}}
func.func private @overflow(tensor<9223372036854775807x9223372036854775807x9223372036854775807xf32, #a>)
