package road

// GridDistance returns where the front axle of the car on a grid place, from 1, waits: how far behind the start line along
// the center line, and how far to the left of it [m].
func GridDistance(place int) (behind, left float64) {
	const apart, aside = 8, 2
	if left = aside; place%2 == 0 {
		left = -aside
	}
	return float64(place) * apart, left
}
