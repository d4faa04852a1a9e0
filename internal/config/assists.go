package config

import (
	"errors"
	"fmt"
	"slices"
)

// Who works the clutch or changes gears.
const (
	Auto = "auto" // the car, until the driver does it
	On   = "on"   // the car
	Off  = "off"  // the driver
)

// Assists are the electronics that help when a drive begins; keys change them on the way.
type Assists struct {
	ABS       int           `toml:"abs"`                // 0 off, 1 late to 10 early
	Traction  int           `toml:"traction"`           // the same
	Stability int           `toml:"stability"`          // the same
	Clutch    string        `toml:"automatic_clutch"`   // Auto, On or Off
	Shifting  string        `toml:"automatic_shifting"` // the same
	Launch    bool          `toml:"launch"`             // holds the engine's speed before a start
	Pit       bool          `toml:"pit_limiter"`        // keeps the pit lane's speed
	Unreal    UnrealAssists `toml:"unreal"`
}

// UnrealAssists are helpers that no car has.
type UnrealAssists struct {
	Yaw      float64 `toml:"yaw_torque"` // 0..1, turns the body towards where the wheels point
	LowSpeed float64 `toml:"low_speed"`  // 0..1, holds back sliding at walking speed
}

// DefaultAssists is a car that drives off without a clutch pedal, and nothing else.
func DefaultAssists() Assists { return Assists{Clutch: Auto, Shifting: Auto} }

// Validate reports every field that is out of range.
func (a Assists) Validate() error {
	return errors.Join(
		level("abs", a.ABS), level("traction", a.Traction), level("stability", a.Stability),
		choice("automatic_clutch", a.Clutch), choice("automatic_shifting", a.Shifting),
		strength("yaw_torque", a.Unreal.Yaw), strength("low_speed", a.Unreal.LowSpeed))
}

func level(key string, v int) error {
	if v >= 0 && v <= 10 {
		return nil
	}
	return fmt.Errorf("assists: %s = %d is outside 0..10; 0 is off, 5 is usual", key, v)
}

func choice(key, v string) error {
	if slices.Contains([]string{Auto, On, Off}, v) {
		return nil
	}
	return fmt.Errorf("assists: %s = %q; choose %s, %s or %s", key, v, Auto, On, Off)
}

func strength(key string, v float64) error {
	if v >= 0 && v <= 1 { // false for NaN
		return nil
	}
	return fmt.Errorf("assists: unreal.%s = %g is outside 0..1; 0 is off", key, v)
}
