package acm

// dirt makes foreign bytes, the same in each run.
type dirt uint32

// spoil returns as many bytes as b has, and nothing of b.
func (d *dirt) spoil(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range out {
		*d = *d*1664525 + 1013904223 // Numerical Recipes, section 7.1
		out[i] = byte(*d >> 24)
	}
	return out
}
