package check

import (
	"fmt"
	"strings"

	"rig.example/rig/internal/audio"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/playback"
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
func checkSound(cfg config.Config, add func(level, where, what, remedy string)) {
	if cfg.Sound.On == "off" && len(cfg.Shakers) == 0 || cfg.Sound.On == "auto" && !cfg.Display.Window && len(cfg.Shakers) == 0 {
		return
	}
	sinks, err := audio.Sinks()
	if err != nil {
		add("warning", "sound", err.Error(), `start a sound server, or set sound.on = "off"; the rig drives without`)
		return
	}
	if _, err := audio.Find(sinks, cfg.Sound.Device); err != nil && cfg.Sound.On != "off" {
		add("warning", "sound", err.Error(), "set sound.device; `rig devices` lists them")
	}
	for i, k := range cfg.Shakers {
		where := fmt.Sprintf("shaker[%d]", i)
		s, err := audio.Find(sinks, k.Device)
		switch {
		case err != nil:
			add("warning", where, err.Error(), "set shaker.device; `rig devices` lists them")
		case k.Channel > s.Channels:
			add("warning", where, fmt.Sprintf("%s has %d channels, not %d", s.Name, s.Channels, k.Channel), "set shaker.channel, or choose the device's profile with more channels (`pactl set-card-profile`)")
		}
	}
}
