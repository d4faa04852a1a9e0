package tire

// Mirrored is a tire mounted on the other side of the car: its model's mirror image about the wheel
// plane.
type Mirrored struct{ Model }

// Forces returns the forces of the model's mirror image.
func (m Mirrored) Forces(c Contact) Forces {
	c.TanAlpha, c.Gamma = -c.TanAlpha, -c.Gamma
	f := m.Model.Forces(c)
	f.Fy, f.Mx, f.Mz = -f.Fy, -f.Mx, -f.Mz
	return f
}
