package road

// FenceOf returns the walls of a ground; nil if it has none.
func FenceOf(g Ground) *Fenced {
	switch g := g.(type) {
	case *Fenced:
		return g
	case *Circuit:
		return FenceOf(g.Ground)
	}
	return nil
}
