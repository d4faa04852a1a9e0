package config

import (
	"strings"
	"testing"

	"rig.example/rig/sim/chassis"
)

func TestACarHasAirAndSurfaces(t *testing.T) {
	car := folder(t, map[string]string{"car.toml": "[air]\nwind_mps = 5\ngust_seed = 3\n" +
		"[[aero]]\nname = 'splitter'\nx_m = 0.7\nlift_area_m2 = -0.8\nride_height = [{ height_m = 0.05, factor = 1.4 }]\n" +
		"[[aero]]\nname = 'wing'\nx_m = -3.2\ndrag_ns2_per_m2 = 0.1\n"})
	p, err := LoadCar(car)
	if err != nil {
		t.Fatal(err)
	}
	if want := (chassis.Air{Density: 1.225, WindSpeed: 5, GustPeriod: 10, GustSeed: 3, Temperature: 15}); p.Air != want {
		t.Errorf("air %+v, want %+v", p.Air, want)
	}
	if len(p.Aero) != 2 || p.Aero[1].Name != "wing" || p.Aero[1].X != -3.2 || p.Aero[1].Drag != 0.1 ||
		p.Aero[0].LiftArea != -0.8 || p.Aero[0].RideHeight[0] != (chassis.HeightPoint{Height: 0.05, Factor: 1.4}) {
		t.Errorf("surfaces %+v", p.Aero)
	}
}

func TestFaultsOfACarsAirHaveTheirPlace(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"both kinds of drag": {"[[aero]]\nx_m = 1\ndrag_area_m2 = 1\ndrag_ns2_per_m2 = 2\n",
			"car.toml:4:1: aero[0].drag_ns2_per_m2 = 2 and drag_area_m2 = 1: give one of the two"},
		"unknown key": {"[[aero]]\nlift = 1\n", `car.toml:2:1: unknown key "aero.lift"; did you mean "lift_`},
		"wind":        {"[air]\n\nwind_mps = -1\n", "car.toml:3:1: air.wind_mps = -1: must be 0 to 100"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LoadCar(folder(t, map[string]string{"car.toml": tt.text}))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}
