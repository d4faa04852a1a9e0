package tire

// Mirrored is a tire that is mounted on the other side of the car: left and
// right change places.
type Mirrored struct{ Model }

// Forces returns the forces of the model's mirror image.
func (m Mirrored) Forces(c Contact) Forces {
	c.TanAlpha, c.Gamma = -c.TanAlpha, -c.Gamma
	f := m.Model.Forces(c)
	f.Fy, f.Mx, f.Mz = -f.Fy, -f.Mx, -f.Mz
	return f
}
