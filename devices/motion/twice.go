package motion

// twice believes a state once it was told two times in a row: in a protocol without a
// checksum one byte that the line changed looks like any other state.
type twice struct {
	sure, last   uint16
	known, heard bool // sure, last have a value
}

// hear takes a state that was told and reports whether it is believed.
func (t *twice) hear(state uint16) bool {
	again := t.heard && state == t.last
	t.last, t.heard = state, true
	if again {
		t.sure, t.known = state, true
	}
	return t.known && state == t.sure
}
