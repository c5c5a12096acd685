// RUN: not spatial-opt %s 2>&1 | filecheck %s --match-full-lines

// Every error of the file, in its order, each at the name of its operation; no traceback, no program.

builtin.module {
  func.func @too_few(%x : i32) -> i32 {
    %sum = "arith.addi"(%x) : (i32) -> i32
    func.return %x, %x : i32, i32
  }
  func.func @no_terminator() {
    "test.op"() : () -> ()
  }
  %lost = "arith.constant"() : () -> i32
  "scf.execute_region"() ({
  ^entry:
  }) : () -> ()
}

//      CHECK: {{.*}}verification_errors.mlir:7:12: error: 'arith.addi' op Expected 2 operands, but got 1
// CHECK-NEXT: {{.*}}verification_errors.mlir:8:5: error: 'func.return' op Expected arguments to have the same types as the function output types: expected [i32], got [i32, i32]
// CHECK-NEXT: {{.*}}verification_errors.mlir:11:5: error: 'test.op' op terminates block in single-block region but is not a terminator
// CHECK-NEXT: {{.*}}verification_errors.mlir:13:11: error: 'arith.constant' op property 'value' expected in operation 'arith.constant'
// CHECK-NEXT: {{.*}}verification_errors.mlir:14:3: error: 'scf.execute_region' op contains empty block in single-block region that expects at least a terminator
//  CHECK-NOT: {{.+}}
