package wheel

import "rig.example/rig/internal/kit/evdev"

// The force-feedback presets, named after the drive between motor and rim.
const (
	GearDriven  = "gear-driven"
	BeltDriven  = "belt"
	DirectDrive = "direct-drive"
)

// presetOfFamily has the preset for most wheels of each family. The wheels of hid-t150 have a belt behind
// gears.
var presetOfFamily = map[Family]string{
	LG4FF: GearDriven, HIDPP: GearDriven, TMFF2: BeltDriven, T150: BeltDriven, Fanatec: BeltDriven,
	PID: DirectDrive, Universal: DirectDrive, Simagic: DirectDrive,
}

// presetOfModel has the presets of wheels that differ from most of their family, "" if the drive is not
// known. If several wheels share a USB id, the preset of the weakest one is used.
var presetOfModel = map[[2]evdev.ID]string{
	{logitech, 0xc268}: DirectDrive, {logitech, 0xc272}: DirectDrive,
	{thrustmaster, 0xb65e}: BeltDriven, {thrustmaster, 0xb65d}: BeltDriven,
	{fanatec, 0x0006}: DirectDrive, {fanatec, 0x0007}: DirectDrive, {fanatec, 0x0020}: DirectDrive,
	{liteStar, 0x3245}: GearDriven, {liteStar, 0x2141}: "",
}

// PresetOf returns the name of the force-feedback preset for the wheel with this USB id, "" if the wheel
// is not known.
func PresetOf(vendor, product evdev.ID) string {
	id := [2]evdev.ID{vendor, product}
	m, known := modelTable[id]
	if name, own := presetOfModel[id]; own || !known {
		return name
	}
	return presetOfFamily[m.Family]
}
