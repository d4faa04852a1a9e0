package valid

// Finite reports whether v is a number: neither NaN nor Inf.
func Finite(v float64) bool { return v-v == 0 }
