// Softmax over the keys of the largest dot products: each query's k best (topk), or its
// single best (hard), whose gradient is that of softmax over all keys.  See
// kernel/topk.h.
