package shown

// Units returns the units of all quantities of a T by their names.
func Units[T any]() map[string]string {
	units := map[string]string{}
	for name, q := range quantities[T]() {
		units[name] = q.unit
	}
	return units
}
