package tire_test

import (
	"fmt"
	"math"
	"os"

	"rig.example/rig/sim/tire"
)

func ExampleParse() {
	data, err := os.ReadFile("testdata/mf61_tvd3.tir")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := tire.Parse("mf61_tvd3.tir", data)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := t.Model.Forces(tire.Contact{TanAlpha: math.Tan(0.05), Load: t.NominalLoad, Surface: tire.Dry()})
	fmt.Printf("%s %s: Fy %.0f N, Mz %.1f N·m\n", t.Kind, t.Size, f.Fy, f.Mz)
	// Output: MF 6.1 205/60 R15: Fy -2302 N, Mz 45.0 N·m
}

func ExampleBrush_Forces() {
	b, err := tire.NewBrush(tire.DefaultBrush(), 0.3)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := b.Forces(tire.Contact{TanAlpha: 0.05, Load: 4000, Surface: tire.Dry()})
	fmt.Printf("Fy %.0f N, Mz %.1f N·m\n", f.Fy, f.Mz)
	// Output: Fy -2108 N, Mz 35.5 N·m
}

func ExampleThermal() {
	m, err := tire.NewThermal(tire.DefaultHeat(), 0.001)
	if err != nil {
		fmt.Println(err)
		return
	}
	h := m.Start()
	air, track := m.Ambient()
	for range 60_000 { // a minute of drifting
		m.Step(&h, tire.HeatInput{Load: 4000, Speed: 20, SlipPower: 30e3, RollingPower: 800, Air: air, Track: track})
	}
	grip, _ := m.Factors(&h)
	fmt.Printf("surface %.0f °C, grip %.2f, %.2f bar\n", h.Surface-273.15, grip, m.Pressure(&h, 220e3)/1e5)
	// Output: surface 144 °C, grip 0.74, 2.30 bar
}
