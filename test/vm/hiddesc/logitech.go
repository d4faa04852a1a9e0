package hiddesc

// G29 returns the report descriptor of a Logitech G29 in native mode, as far as the kernel's driver uses it.
//
// Input, 12 bytes: hat 4 bit, 25 buttons, 3 unused bits, X (steering) 16 bit,
// Z (gas), Rz (brake) and Y (clutch) 8 bit each, 3 bytes of the vendor.
// Output: 7 bytes. Feature: 144 bytes.
func G29() []byte {
	d := &Descriptor{}
	d.Page(PageDesktop).Usages(UsageJoystick).Collection(Application)
	d.Logical(0, 7).Physical(0, 315).Unit(Degrees).Usages(UsageHat).Fields(1, 4).Input(Variable | NullState).Unit(0)
	d.Range(0, 1).Page(PageButton).UsageRange(1, 25).Fields(25, 1).Input(Variable)
	d.Page(PageVendor).Usages(1).Fields(3, 1).Input(Variable)
	d.Range(0, 0xffff).Page(PageDesktop).Usages(UsageX).Fields(1, 16).Input(Variable)
	d.Range(0, 0xff).Usages(UsageZ, UsageRz, UsageY).Fields(3, 8).Input(Variable)
	d.Page(PageVendor).Usages(4).Fields(3, 8).Input(Variable)
	d.Usages(2).Fields(7, 8).Output(Variable)
	d.Usages(3).Fields(144, 8).Feature(Variable)
	return *d.End()
}

// G27 returns the report descriptor of a Logitech G27 in native mode, as far as the kernel's driver uses it.
//
// Input, 11 bytes: hat 4 bit, 22 buttons, X (steering) 14 bit, Z (gas), Rz
// (brake) and Y (clutch) 8 bit each, 2 bytes of the vendor, button 23, 7 bits
// of the vendor. Output: 7 bytes. Feature: 144 bytes.
func G27() []byte {
	const shifter = 23 // number of the shifter's button for reverse
	d := &Descriptor{}
	d.Page(PageDesktop).Usages(UsageJoystick).Collection(Application)
	d.Logical(0, 7).Physical(0, 315).Unit(Degrees).Usages(UsageHat).Fields(1, 4).Input(Variable | NullState).Unit(0)
	d.Range(0, 1).Page(PageButton).UsageRange(1, 22).Fields(22, 1).Input(Variable)
	d.Range(0, 0x3fff).Page(PageDesktop).Usages(UsageX).Fields(1, 14).Input(Variable)
	d.Range(0, 0xff).Usages(UsageZ, UsageRz, UsageY).Fields(3, 8).Input(Variable)
	d.Page(PageVendor).Usages(1).Fields(2, 8).Input(Variable)
	d.Range(0, 1).Page(PageButton).Usages(shifter).Fields(1, 1).Input(Variable)
	d.Page(PageVendor).Usages(1).Fields(7, 1).Input(Variable)
	d.Range(0, 0xff).Usages(2).Fields(7, 8).Output(Variable)
	d.Usages(3).Fields(144, 8).Feature(Variable)
	return *d.End()
}

// DrivingForce returns the report descriptor of the compatibility mode in which Logitech's later wheels start,
// until a driver switches them.
//
// Input, 8 bytes: X (steering) 10 bit, 12 buttons, 2 bits of the vendor, Y
// (both pedals) 8 bit, hat 4 bit, 4 bits and 3 bytes of the vendor. Output: 7
// bytes.
func DrivingForce() []byte {
	d := &Descriptor{}
	d.Page(PageDesktop).Usages(UsageJoystick).Collection(Application).Collection(Group)
	d.Range(0, 1023).Usages(UsageX).Fields(1, 10).Input(Variable)
	d.Range(0, 1).Page(PageButton).UsageRange(1, 12).Fields(12, 1).Input(Variable)
	d.Page(PageVendor).Usages(1).Fields(2, 1).Input(Variable)
	d.Range(0, 0xff).Page(PageDesktop).Usages(UsageY).Fields(1, 8).Input(Variable)
	d.Logical(0, 7).Physical(0, 315).Unit(Degrees).Usages(UsageHat).Fields(1, 4).Input(Variable | NullState).Unit(0)
	d.Range(0, 1).Page(PageVendor).Usages(1).Fields(4, 1).Input(Variable)
	d.Range(0, 0xff).Usages(2).Fields(3, 8).Input(Variable).End()
	d.Collection(Group).Usages(3).Fields(7, 8).Output(Variable).End()
	return *d.End()
}
