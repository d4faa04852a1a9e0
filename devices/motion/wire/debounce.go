package wire

// Debounce believes a state only when it was told two times in a row: in a protocol without a
// checksum one byte that the line changed looks like any other state.
type Debounce struct {
	Value uint16 // believed, once Known
	Known bool
	last  uint16 // told last, once heard
	heard bool
}

// Hear takes a state that was told and reports whether it is believed.
func (t *Debounce) Hear(state uint16) bool {
	again := t.heard && state == t.last
	t.last, t.heard = state, true
	if again {
		t.Value, t.Known = state, true
	}
	return t.Known && state == t.Value
}
