package rig

// wheelNotice is what the driver must know of a wheel that is there, or nothing.
func (d *deviceSet) wheelNotice() string {
	if d.demo || d.wheel == nil {
		return ""
	}
	if text := d.wheel.Status().NoForce; text != "" {
		return "wheel: " + text
	}
	return ""
}
