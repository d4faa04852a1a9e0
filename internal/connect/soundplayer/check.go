package soundplayer

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/connect/audio"
	"rig.example/rig/internal/files/config"
)

// Devices lists the sound devices with their use in a configuration; none without a sound server.
func Devices(cfg *config.Config, add func(kind, path, name, use string)) {
	sinks, err := audio.Sinks()
	if err != nil {
		return
	}
	for _, s := range sinks {
		add("sound", s.Name, fmt.Sprintf("%s; channels %s; %d Hz", s.Description, strings.Join(s.ChannelNames(), ", "), s.Rate), useOf(cfg, sinks, s))
	}
}

// useOf returns what a drive would use a sound device for.
func useOf(cfg *config.Config, all []audio.Sink, s audio.Sink) (use string) {
	isUsed := func(name string) bool {
		found, err := audio.Find(all, name)
		return err == nil && found.Name == s.Name
	}
	o := Of(cfg, true)
	use = "not used"
	if o.On && isUsed(o.Sound.Device) {
		use = "sound"
	}
	for i, k := range o.Shakers {
		if !isUsed(k.Device) {
			continue
		}
		what := fmt.Sprintf("shaker %s at channel %d", ShakerName(k, i), k.Channel)
		if use == "not used" {
			use = what
		} else {
			use += ", " + what
		}
	}
	return use
}

// Check looks for the sound devices that a configuration names.
func Check(cfg *config.Config, add func(check, where, what, remedy string)) {
	o := Of(cfg, cfg.Display.Window)
	if !o.Wanted() {
		return
	}
	sinks, err := audio.Sinks()
	if err != nil {
		add("sound", "sound", err.Error(), `start a sound server, or set sound.on = "off"; the rig drives without`)
		return
	}
	own, err := audio.Find(sinks, o.Sound.Device)
	if err != nil && o.On {
		add("sound", "sound", err.Error(), "set sound.device; `rig devices` lists them")
	}
	hangs := map[string]int{} // shaker by its device and channel
	for i, k := range o.Shakers {
		where := fmt.Sprintf("shaker[%d]", i)
		s, err := audio.Find(sinks, k.Device)
		if err != nil {
			add("shaker", where, err.Error(), "set shaker.device; `rig devices` lists them")
			continue
		}
		if err := CheckChannel(k, i, s, o.On && s.Name == own.Name); err != nil {
			add("shaker", where, err.Error(), "`rig devices` lists the channels; a card's profile may have more (`pactl set-card-profile`)")
		}
		place := fmt.Sprintf("channel %d of %s", k.Channel, s.Name)
		if other, taken := hangs[place]; taken {
			add("shaker", where, fmt.Sprintf("it is at %s, as shaker[%d]", place, other), "give each its own channel")
		}
		hangs[place] = i
	}
}

// Output returns where a configuration plays its sound, for a summary.
func Output(cfg *config.Config) string {
	o := Of(cfg, true)
	if !o.Wanted() {
		return "off"
	}
	sinks, err := audio.Sinks()
	if err != nil {
		return "no sound server"
	}
	text := "no device"
	if sink, err := audio.Find(sinks, o.Sound.Device); err == nil {
		text = sink.Description
	}
	if n := len(o.Shakers); n > 0 {
		text += fmt.Sprintf(", shakers: %d", n)
	}
	return text
}
