spatial.program @copy(%X : memref<2x4xf32>, %Y : memref<2x4xf32>)
    target #spatial.target<"reference" {tile = [2, 4]}> grid [1, 1] loops [k = 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[0, 0] on move 1
}
