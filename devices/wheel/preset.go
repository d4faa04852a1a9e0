package wheel

import "rig.example/rig/internal/evdev"

// The presets of the force that suit how a wheel's motor turns its rim.
const (
	gearDriven  = "gear-driven"
	beltDriven  = "belt"
	directDrive = "direct-drive"
)

// Presets lists the presets that the table names.
func Presets() []string { return []string{gearDriven, beltDriven, directDrive} }

// ofFamily is the preset of most wheels of a family. Those of hid-t150 have a belt
// behind gears.
var ofFamily = map[Family]string{
	LG4FF: gearDriven, HIDPP: gearDriven, TMFF2: beltDriven, T150: beltDriven, Fanatec: beltDriven,
	PID: directDrive, Universal: directDrive, Simagic: directDrive,
}

// ofModel are the wheels that are otherwise than most of their family; "" where
// nobody told. Of wheels that share a number, the mildest counts.
var ofModel = map[[2]evdev.ID]string{
	{logitech, 0xc268}: directDrive, {logitech, 0xc272}: directDrive,
	{thrustmaster, 0xb65e}: beltDriven, {thrustmaster, 0xb65d}: beltDriven,
	{fanatec, 0x0006}: directDrive, {fanatec, 0x0007}: directDrive, {fanatec, 0x0020}: directDrive,
	{liteStar, 0x3245}: gearDriven, {liteStar, 0x2141}: "",
}

// PresetOf names the preset of the force that suits the wheel with this number, or
// none where the wheel is not known.
func PresetOf(vendor, product evdev.ID) string {
	id := [2]evdev.ID{vendor, product}
	m, known := models[id]
	if name, own := ofModel[id]; own || !known {
		return name
	}
	return ofFamily[m.Family]
}
