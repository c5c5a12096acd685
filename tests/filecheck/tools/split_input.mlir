// RUN: not spatial-opt %s --split-input-file 2>%t.err | filecheck %s
// RUN: filecheck %s --input-file %t.err --check-prefix ERROR --match-full-lines
// RUN: spatial-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s --check-prefix PRINTED

// The first and the last program are printed, each error is at its line in the whole file.

//        CHECK: "test.op"() {first}
//        CHECK: {{// ---}}--
//   CHECK-NEXT: {{// ---}}--
//   CHECK-NEXT: {{// ---}}--
//        CHECK: "test.op"() {last}

//      PRINTED: "test.op"() {first}
//      PRINTED: {{// ---}}--
// PRINTED-NEXT: {{.*}}split_input.mlir:{{\d+}}:5: error: Operation not.registered is not registered
//      PRINTED: {{// ---}}--
// PRINTED-NEXT: {{.*}}split_input.mlir:{{\d+}}:6: error: 'arith.constant' op property 'value' expected
//      PRINTED: {{// ---}}--
//      PRINTED: "test.op"() {last}

//        ERROR: {{.*}}split_input.mlir:30:5: error: Operation not.registered is not registered
//        ERROR: {{.*}}split_input.mlir:35:6: error: 'arith.constant' op property 'value' expected in operation 'arith.constant'
//    ERROR-NOT: {{.+}}

"test.op"() {first} : () -> ()

// -----

builtin.module {
    not.registered
}

// -----

%c = "arith.constant"() : () -> i32

// -----

"test.op"() {last} : () -> ()
