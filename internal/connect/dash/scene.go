package dash

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/shown"
)

// sceneObject is what does not change during a drive, the first event of a stream: tuned are the names of the factors in the order
// in which they are shown, columns those of a sample.
var sceneObject = shown.NewObject[frame.Scene](`
	!car !track idle_rpm shift_up_rpm max_rpm steer_lock_rad=steer_lock tank_l=tank_capacity electric=electric(bool) lap_length_m=lap_length
	!actuators !tuned !columns`, stateDigits)

// encodeScene returns the JSON object of what pages need of a scene.
func encodeScene(s *frame.Scene) []byte {
	return sceneObject.Append(nil, s, map[string]any{
		"car": s.CarName, "track": s.TrackName, "actuators": list(s.Names.Actuators), "tuned": list(s.Names.Tuned), "columns": sampleColumns,
	})
}

// list returns names, or an empty list instead of nil, which would become null.
func list(names []string) []string { return append([]string{}, names...) }
