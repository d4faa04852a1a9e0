package gamestest

import "slices"

// Layout is what a game sends, in one of its forms.
type Layout struct {
	Name, Source string
	Rate         float64                        // packets a second
	Tells        []Phase                        // phases besides Live that it tells
	HasPlace     bool                           // tells where the car is
	Packet       func(c *Car) []byte            // by UDP; nil for shared memory
	Files        func(c *Car) map[string][]byte // of shared memory
}

// Layouts returns all layouts.
func Layouts() []Layout {
	all := []Phase{Paused, Menu, Replay}
	return []Layout{
		{Name: "BeamNG", Source: "beamng", Rate: 200, HasPlace: true, Packet: beamNG},
		{Name: "OutSim", Source: "outsim", Rate: 100, HasPlace: true, Packet: outSim},
		{Name: "OutSim2", Source: "outsim", Rate: 100, HasPlace: true, Packet: outSim2},
		{Name: "Forza's sled", Source: "forza", Rate: 60, Tells: []Phase{Menu}, Packet: forzaSled},
		{Name: "Forza Horizon", Source: "forza", Rate: 60, Tells: []Phase{Menu}, HasPlace: true, Packet: forzaHorizon},
		{Name: "Forza Motorsport 7", Source: "forza", Rate: 60, Tells: []Phase{Menu}, HasPlace: true, Packet: forzaDash(311)},
		{Name: "Forza Motorsport", Source: "forza", Rate: 60, Tells: []Phase{Menu}, HasPlace: true, Packet: forzaDash(331)},
		{Name: "DiRT", Source: "dirt", Rate: 60, HasPlace: true, Packet: dirt},
		{Name: "EA WRC", Source: "wrc", Rate: 60, HasPlace: true, Packet: wrc},
		{Name: "Richard Burns Rally", Source: "rbr", Rate: 100, HasPlace: true, Packet: rbr},
		{Name: "Assetto Corsa", Source: "ac", Rate: 333, Tells: all, HasPlace: true, Files: Assetto(AssettoSigns{-1, 1, 1, 1})},
		{Name: "Assetto Corsa EVO", Source: "acevo", Rate: 333, Tells: all, HasPlace: true, Files: evo},
		{Name: "rFactor 2", Source: "rf2", Rate: 50, Tells: all, HasPlace: true, Files: rf2},
		{Name: "Le Mans Ultimate", Source: "lmu", Rate: 100, Tells: all, HasPlace: true, Files: lmu},
		{Name: "trucks", Source: "scs", Rate: 60, Tells: []Phase{Paused, Menu}, HasPlace: true, Files: scs},
	}
}

// Of returns the usual layout of a source, or false.
func Of(source string) (Layout, bool) {
	list := Layouts()
	i := slices.IndexFunc(list, func(l Layout) bool { return l.Source == source })
	if i < 0 {
		return Layout{}, false
	}
	return list[i], true
}
