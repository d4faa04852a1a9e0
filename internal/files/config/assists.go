package config

import "rig.example/rig/internal/kit/valid"

// Who works the clutch or changes gears.
const (
	Auto = "auto" // the car, until the driver does it
	On   = "on"   // the car
	Off  = "off"  // the driver
)

// Assists are the driving aids at the start of a drive; keys change them while driving.
type Assists struct {
	// level of the anti-lock brakes: 0 off, 1 helps late, 5 as the car's maker chose, 10 early
	ABS       int `toml:"abs" range:"0..10"`
	Traction  int `toml:"traction" range:"0..10"`  // level of traction control, as for `abs`
	Stability int `toml:"stability" range:"0..10"` // level of stability control, as for `abs`
	// who operates the clutch: `on`: the car; `off`: you; `auto`: the car, until you do it yourself
	Clutch string `toml:"automatic_clutch" oneof:"auto,on,off"`
	// who changes gears: `on`: the car; `off`: you; `auto`: the car, until you do it yourself
	Shifting string `toml:"automatic_shifting" oneof:"auto,on,off"`
	// launch control: with the throttle pressed and brake or clutch held, the engine keeps a fixed speed until
	// you release the car
	Launch bool          `toml:"launch"`
	Pit    bool          `toml:"pit_limiter"` // limits the speed to that of the pit lane
	Unreal UnrealAssists `toml:"unreal"`
}

// UnrealAssists are arcade aids that no real car has.
type UnrealAssists struct {
	// arcade aid that no real car has: turns the body towards where the wheels point
	Yaw      float64 `toml:"yaw_torque" range:"0..1"`
	LowSpeed float64 `toml:"low_speed" range:"0..1"` // resists sliding at walking speed
}

// DefaultAssists returns automatic clutch and shifting until the driver does it, and no other aid.
func DefaultAssists() Assists { return Assists{Clutch: Auto, Shifting: Auto} }

// Validate reports every field that is out of range.
func (a Assists) Validate() error { return valid.Struct(a) }
