package wire

// Debounce confirms a state only when it was received twice in a row: in a protocol without a
// checksum, one byte corrupted on the line looks like any other state.
type Debounce struct {
	Value    uint16 // newest confirmed state, valid if HasValue
	HasValue bool
	last     uint16 // state that was received last, valid if hasLast
	hasLast  bool
}

// Update takes a received state and reports whether it is confirmed.
func (d *Debounce) Update(state uint16) bool {
	confirmed := d.hasLast && state == d.last
	d.last, d.hasLast = state, true
	if confirmed {
		d.Value, d.HasValue = state, true
	}
	return d.HasValue && state == d.Value
}
