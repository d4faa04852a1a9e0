package config

import (
	"errors"

	"rig.example/rig/display/screens"
	"rig.example/rig/internal/kit/valid"
)

// Display configures the window.
type Display struct {
	Window bool   `toml:"window"`                              // the drive has a window, and ends if that is lost
	Width  int    `toml:"width_px" range:"320..30720"`         // width of the window, also that of one across several screens
	Height int    `toml:"height_px" range:"240..8640"`         // height of the window
	Camera string `toml:"camera" oneof:"chase,cockpit,bonnet"` // camera at the start; `C` changes it
	// whether pictures wait for the screen's refresh: `off` tears them; `adaptive` tears only one that comes late
	VSync string `toml:"vsync" oneof:"on,off,adaptive"`
	// how fine the pictures are; `auto` keeps the refresh rate of the screen
	Quality string `toml:"quality" oneof:"auto,low,medium,high"`
	// time of day: at dusk the sun is low and the headlamps light the road
	Time string `toml:"time" oneof:"day,dusk"`
	// fills a monitor without a frame; `F11` changes it, and what it was last is remembered
	Fullscreen bool `toml:"fullscreen"`
	// monitor of the full screen, as `rig screens --list` names it; empty: that where the window is
	Monitor string `toml:"monitor"`
	// several screens: `one` window across them, or one on `each`
	Windows string `toml:"windows" oneof:"one,each"`
	// vertical field of view from the driver's seat, where no screens are described
	FOV float64 `toml:"fov_deg" range:"15..120"`
	// the screens are on the platform. `false`: they stand on the floor, and the picture is turned against the platform's pose
	PlatformMovesScreens bool `toml:"platform_moves_screens"`
	// screens on the floor: the driver's eye from the point about which the platform turns (ahead, left, up)
	EyeFromPivot [3]float64 `toml:"eye_from_pivot_m" range:"-3..3"`
	// screens on the floor, controller without feedback: how much later than its target position the platform is there, as `rig motion sweep` measures it
	PlatformDelay float64          `toml:"platform_delay_s" range:"0..0.5"`
	HUD           HUD              `toml:"hud"`                  // the instruments
	Screens       screens.Config   `toml:"screens"`              // screens that are all alike
	Screen        []screens.Screen `toml:"screen" count:"0..16"` // screens one by one, from the left to the right, in place of a preset
}

// HUD configures the instruments in the window.
type HUD struct {
	// size; larger than about 1.1 only where there is room
	Scale float64 `toml:"scale" range:"0.5..2"`
	// side of the pages; laps and lamps are on the other
	Pages string `toml:"pages" oneof:"left,right"`
	// page at the start; `Tab` shows the next one. `drive` shows none, so that the view is free
	Page string `toml:"page" oneof:"drive,map,tires,charts,force,motion,pictures"`
}

// DefaultDisplay returns one window, and screens that move with the platform.
func DefaultDisplay() Display {
	return Display{
		Window: true, Width: 1280, Height: 720, Camera: "chase", VSync: "on", Quality: "auto", Time: "day", Windows: "one", FOV: 50,
		PlatformMovesScreens: true, EyeFromPivot: [3]float64{0, 0, 0.9}, Screens: screens.DefaultConfig(),
		HUD: HUD{Scale: 1, Pages: "right", Page: "drive"},
	}
}

// Validate reports every field that is out of range or does not fit the others.
func (d Display) Validate() error {
	err := valid.Struct(d)
	if len(d.Screen) > 0 && d.Screens.Preset != "" {
		err = errors.Join(err, errors.New("screens.preset: [[display.screen]] takes its place; leave one of them out"))
	}
	return err
}

// AllScreens returns the screens before the driver, from the left to the right; none if they are not described.
func (d *Display) AllScreens() []screens.Screen {
	if len(d.Screen) > 0 {
		return d.Screen
	}
	return d.Screens.Screens()
}
