package acm

// noise generates pseudo-random bytes, the same in each run. The zero value is ready for use.
type noise uint32

// replace returns len(b) pseudo-random bytes instead of b.
func (d *noise) replace(b []byte) []byte {
	out := make([]byte, len(b))
	for i := range out {
		*d = *d*1664525 + 1013904223 // Numerical Recipes, section 7.1
		out[i] = byte(*d >> 24)
	}
	return out
}
