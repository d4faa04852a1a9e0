package setup

import (
	"fmt"
	"math"

	"rig.example/rig/display/screens"
	"rig.example/rig/internal/files/config"
)

// String returns the connector and the size.
func (m Monitor) String() string {
	if m.Width == 0 {
		return m.Name + ", which does not tell its size"
	}
	return fmt.Sprintf("%s, %.0f by %.0f mm", m.Name, 1000*m.Width, 1000*m.Height)
}

// presetOf returns the preset of [display.screens] for monitors, "" if there is none.
func presetOf(list []Monitor) string {
	const tolerance = 0.01 // [m]
	if len(list) != 1 && len(list) != 3 || list[0].Width == 0 {
		return ""
	}
	for _, m := range list {
		if math.Abs(m.Width-list[0].Width) > tolerance || math.Abs(m.Height-list[0].Height) > tolerance {
			return ""
		}
	}
	if len(list) == 3 {
		return "triple"
	}
	return "single"
}

func (w *wizard) proposeScreens() (isDefault bool, question string, err error) {
	switch {
	case w.machine.Window() != nil:
		w.say("  %v", w.machine.Window())
		return false, "", nil
	case presetOf(w.machine.Monitors()) == "":
		w.say("  Neither one nor three equal monitors that tell their size: docs/display.md says how you describe them.")
		return false, "", nil
	case len(w.cfg.Display.AllScreens()) > 0:
		w.say("  The configuration describes the screens.")
		return false, "Describe them anew?", nil
	}
	w.say("  A picture in true size needs the distance of your eye; without it, it has a fixed angle of view.")
	return false, "Describe the screens?", nil
}

func (w *wizard) describeScreens() error {
	list := w.machine.Monitors()
	preset := presetOf(list)
	if preset == "" {
		return fmt.Errorf("another monitor was connected or removed; connect them as you drive")
	}
	d := screens.DefaultConfig().Distance
	distance, err := w.ui.Number(w.ctx, "  How far is your eye from the middle of the screen, in m?", d, 0.1, 10)
	if err != nil {
		return err
	}
	const table = "display.screens."
	return w.change("screens", config.Set(table+"preset", preset), config.Set(table+"width_m", list[0].Width),
		config.Set(table+"height_m", list[0].Height), config.Set(table+"distance_m", distance))
}
