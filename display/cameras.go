package display

// nextCamera returns the camera that follows one when the driver changes it. Those beside the road are for replays only.
func nextCamera(camera string, isReplay bool) string {
	switch {
	case camera == Chase && isReplay:
		return Trackside
	case camera == Chase, camera == Trackside:
		return Cockpit
	case camera == Cockpit:
		return Bonnet
	}
	return Chase
}
