// RUN: not spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines --strict-whitespace

//      CHECK:{{.*}}parse_errors.mlir:6:3: error: Operation foo.bar is not registered
// CHECK-NEXT:    foo.bar %x
// CHECK-NEXT:    ^^^^^^^
  foo.bar %x

// -----

//      CHECK:{{.*}}parse_errors.mlir:16:11: error: %undefined is used but not defined
// CHECK-NEXT:  "test.op"(%undefined, %other) : (i32, i64) -> ()
// CHECK-NEXT:            ^^^^^^^^^^
//      CHECK:{{.*}}parse_errors.mlir:16:23: error: %other is used but not defined
// CHECK-NEXT:  "test.op"(%undefined, %other) : (i32, i64) -> ()
// CHECK-NEXT:                        ^^^^^^
"test.op"(%undefined, %other) : (i32, i64) -> ()

// -----

//      CHECK:{{.*}}parse_errors.mlir:23:31: error: Integer value 99999999999 is out of range for type i32 which supports values in the range [-2147483648, 4294967296)
// CHECK-NEXT:    "test.op"() {a = array<i32: 99999999999>} : () -> ()
// CHECK-NEXT:                                ^^^^^^^^^^^
  "test.op"() {a = array<i32: 99999999999>} : () -> ()

// -----

//      CHECK:{{.*}}parse_errors.mlir:32:5: error: SSA value %a is already defined
// CHECK-NEXT:  %a, %a = "test.op"() : () -> (i32, i32)
// CHECK-NEXT:      ^^
//  CHECK-NOT:Traceback
"test.op"() : () -> ()
%a, %a = "test.op"() : () -> (i32, i32)
