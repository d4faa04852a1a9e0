package check

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/connect/audio"
	"rig.example/rig/internal/connect/playback"
	"rig.example/rig/internal/files/config"
)

// soundDevices lists the sound devices with their use; none without a sound server.
func soundDevices(cfg config.Config) (list []Device) {
	sinks, err := audio.Sinks()
	if err != nil {
		return nil
	}
	for _, s := range sinks {
		list = append(list, otherDevice("sound", s.Name, fmt.Sprintf("%s; channels %s; %d Hz", s.Description, strings.Join(s.ChannelNames(), ", "), s.Rate), soundUse(cfg, sinks, s)))
	}
	return list
}

// soundUse returns what a drive would use a sound device for.
func soundUse(cfg config.Config, all []audio.Sink, s audio.Sink) (use string) {
	isUsed := func(name string) bool {
		found, err := audio.Find(all, name)
		return err == nil && found.Name == s.Name
	}
	use = "not used"
	if cfg.Sound.On != "off" && isUsed(cfg.Sound.Device) {
		use = "sound"
	}
	for i, k := range cfg.Shakers {
		if !isUsed(k.Device) {
			continue
		}
		what := fmt.Sprintf("shaker %s at channel %d", playback.ShakerName(k, i), k.Channel)
		if use == "not used" {
			use = what
		} else {
			use += ", " + what
		}
	}
	return use
}

// checkSound looks for the sound devices that the configuration names.
func checkSound(cfg config.Config, add func(check, where, what, remedy string)) {
	plays := cfg.Sound.On == "always" || cfg.Sound.On == "auto" && cfg.Display.Window
	if !plays && len(cfg.Shakers) == 0 {
		return
	}
	sinks, err := audio.Sinks()
	if err != nil {
		add("sound", "sound", err.Error(), `start a sound server, or set sound.on = "off"; the rig drives without`)
		return
	}
	own, err := audio.Find(sinks, cfg.Sound.Device)
	if err != nil && plays {
		add("sound", "sound", err.Error(), "set sound.device; `rig devices` lists them")
	}
	hangs := map[string]int{} // shaker by its device and channel
	for i, k := range cfg.Shakers {
		where := fmt.Sprintf("shaker[%d]", i)
		s, err := audio.Find(sinks, k.Device)
		if err != nil {
			add("shaker", where, err.Error(), "set shaker.device; `rig devices` lists them")
			continue
		}
		if err := playback.CheckChannel(k, i, s, plays && s.Name == own.Name); err != nil {
			add("shaker", where, err.Error(), "`rig devices` lists the channels; a card's profile may have more (`pactl set-card-profile`)")
		}
		place := fmt.Sprintf("channel %d of %s", k.Channel, s.Name)
		if other, taken := hangs[place]; taken {
			add("shaker", where, fmt.Sprintf("it is at %s, as shaker[%d]", place, other), "give each its own channel")
		}
		hangs[place] = i
	}
}
