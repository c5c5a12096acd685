// RUN: not spatial-opt %s --split-input-file --allow-unregistered-dialect 2>&1 >/dev/null | filecheck %s --match-full-lines

"test.op"(%late) : (i32) -> ()
%late = "test.op"() : () -> i32

//      CHECK: {{.*}}dominance.mlir:3:1: error: 'test.op' op operand #0 (%late) is used before it is defined
// CHECK-NEXT:   hint: move the definition in front of its first use

// -----

%self = "test.op"(%self) : (i32) -> i32

// CHECK-NEXT: {{.*}}dominance.mlir:11:9: error: 'test.op' op operand #0 (%self) is used before it is defined
// CHECK-NEXT:   hint: move the definition in front of its first use

// -----

// A result is not visible inside its own operation; what comes before it is.

%before = "test.op"() : () -> i32
%own = "test.op"() ({
  "test.termop"(%before, %own) : (i32, i32) -> ()
}) : () -> i32

// CHECK-NEXT: {{.*}}dominance.mlir:22:3: error: 'test.termop' op operand #1 (%own) is used before it is defined
// CHECK-NEXT:   hint: move the definition in front of its first use

// -----

"test.op"(%inner) : (i32) -> ()
"test.op"() ({
^entry(%argument : i32):
  %inner = "test.op"(%argument) : (i32) -> i32
  "test.termop"() : () -> ()
}) : () -> ()

// CHECK-NEXT: {{.*}}dominance.mlir:30:1: error: 'test.op' op operand #0 (%inner) is defined in a block that does not dominate its use

// -----

// %x reaches the join from one side only; %a, defined in the text after its use, dominates it.

func.func @branches(%condition : i1) {
  cf.br ^start
^join:
  "test.op"(%a, %x, %condition) : (i32, i32, i1) -> ()
  func.return
^left:
  %x = "test.op"() : () -> i32
  cf.br ^join
^start:
  %a = "test.op"() : () -> i32
  cf.cond_br %condition, ^left, ^join
^unreachable:
  "test.op"(%x) : (i32) -> ()
  cf.br ^join
}

// CHECK-NEXT: {{.*}}dominance.mlir:46:3: error: 'test.op' op operand #1 (%x) is defined in a block that does not dominate its use

// -----

// A loop's header dominates its body, and not the other way round.

func.func @loop(%condition : i1) {
  cf.br ^header
^header:
  %h = "test.op"(%b) : (i32) -> i32
  cf.cond_br %condition, ^body, ^exit
^body:
  %b = "test.op"(%h) : (i32) -> i32
  cf.br ^header
^exit:
  func.return
}

// CHECK-NEXT: {{.*}}dominance.mlir:68:8: error: 'test.op' op operand #0 (%b) is defined in a block that does not dominate its use

// -----

// Nothing is known about the regions of an unregistered operation.

"unknown.graph"() ({
  "test.op"(%later) : (i32) -> ()
  %later = "test.op"() : () -> i32
}) : () -> ()

// CHECK-NOT: {{.+}}
