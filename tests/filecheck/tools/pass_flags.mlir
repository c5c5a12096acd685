// RUN: spatial-opt %s --canonicalize -p cse --print-between-passes --dce | filecheck %s
// RUN: spatial-opt --scf-for-loop-range-folding %s --convert-linalg-to-loops="" -p "" | filecheck %s --check-prefix QUIET
// RUN: not spatial-opt %s --cse="no-such-option=1" 2>&1 | filecheck %s --check-prefix OPTION

// Passes run in the order of the command line, whichever way they are written.

//       CHECK: IR after canonicalize:
//       CHECK: IR after cse:
//   CHECK-NOT: IR after

// QUIET: "test.op"

// OPTION: spatial-opt: error: pass 'cse': Provided arguments ["no_such_option"] not found in expected arguments []
"test.op"() : () -> ()
