package dash

import (
	"encoding/json"

	"rig.example/rig/internal/core/frame"
)

// sceneMessage is what does not change during a drive, the first event of a stream.
type sceneMessage struct {
	Car          string   `json:"car"`
	Track        string   `json:"track"`
	IdleRPM      number   `json:"idle_rpm"`
	ShiftUpRPM   number   `json:"shift_up_rpm"`
	MaxRPM       number   `json:"max_rpm"`
	SteerLock    number   `json:"steer_lock_rad"`
	TankCapacity number   `json:"tank_l"`
	Electric     bool     `json:"electric"`
	LapLength    number   `json:"lap_length_m"`
	Actuators    []string `json:"actuators"`
	Tuned        []string `json:"tuned"`   // names of the factors, in the order in which they are shown
	Columns      []string `json:"columns"` // of a sample
}

// encodeScene returns the JSON object of what pages need of a scene.
func encodeScene(s *frame.Scene) []byte {
	b, err := json.Marshal(sceneMessage{
		Car: s.CarName, Track: s.TrackName, IdleRPM: number(s.IdleRPM), ShiftUpRPM: number(s.ShiftUpRPM), MaxRPM: number(s.MaxRPM),
		SteerLock: number(s.SteerLock), TankCapacity: number(s.TankCapacity), Electric: s.Electric == 1, LapLength: number(s.LapLength),
		Actuators: list(s.Names.Actuators), Tuned: list(s.Names.Tuned), Columns: sampleColumns,
	})
	if err != nil {
		panic(err) // the types above can always be encoded
	}
	return b
}

// list returns names, or an empty list instead of nil, which would become null.
func list(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
