// RUN: spatial-opt %s | filecheck %s
// RUN: spatial-opt %s --cse --print-debuginfo | filecheck %s --check-prefix DEBUG
// RUN: not spatial-opt %s -p 'mlir-opt[nonsense]' 2>&1 | filecheck %s --check-prefix FAILED

// Operations know their place in the text, but do not print it unless they are asked to.

//     CHECK-NOT: loc(
//         CHECK: "test.op"() : () -> ()
//    CHECK-NEXT: "test.op"() : () -> i32

//         DEBUG: "test.op"() : () -> () loc("{{.*}}locations.mlir":17:1)
//    DEBUG-NEXT: "test.op"() : () -> i32 loc("{{.*}}locations.mlir":18:10)
//    DEBUG-NEXT: "test.op"() : () -> () loc("elsewhere":3:4)

//        FAILED: {{.*}}locations.mlir:1:1: error: pass 'mlir-opt' failed:
//    FAILED-NOT: Traceback
"test.op"() : () -> ()
%value = "test.op"() : () -> i32
"test.op"() : () -> () loc("elsewhere":3:4)
