package hiddesc

// Report numbers of a wheel of the PID class (Device Class Definition for Physical Interface Devices 1.0).
// Output and feature reports are numbered separately.
const (
	PIDInput = 0x01 // axes and buttons

	PIDSetEffect     = 0x11 // this and the next nine: output
	PIDSetEnvelope   = 0x12
	PIDSetCondition  = 0x13
	PIDSetPeriodic   = 0x14
	PIDSetConstant   = 0x15
	PIDSetRamp       = 0x16
	PIDOperation     = 0x1a
	PIDBlockFree     = 0x1b
	PIDDeviceControl = 0x1c
	PIDDeviceGain    = 0x1d

	PIDCreateEffect = 0x11 // feature, from the host
	PIDBlockLoad    = 0x12 // feature, to the host
	PIDPool         = 0x13 // feature, to the host
)

// Limits in the reports that DirectDrive describes.
const (
	PIDSlots     = 40    // effects at the same time, numbered from 1
	PIDFull      = 10000 // largest magnitude, coefficient or saturation
	PIDFullTurn  = 35999 // largest direction or phase, 359.99 degrees
	PIDFullGain  = 255   // largest gain of an effect or of the device
	PIDAlways    = 255   // loop count of an effect that repeats without end
	pidLongestMS = 0x7fff
)

// PagePID is the usage page for force feedback.
const PagePID = 0x0f

// pageOrdinals is the usage page that numbers the axes of a direction.
const pageOrdinals = 0x0a

// usageByteCount is a usage of the generic desktop page.
const usageByteCount = 0x3b

// Usages of the force feedback page.
const (
	usagePIDSetEffect       = 0x21
	usagePIDBlockIndex      = 0x22
	usagePIDParameterBlock  = 0x23
	usagePIDEffectType      = 0x25
	usagePIDDuration        = 0x50
	usagePIDGain            = 0x52
	usagePIDTriggerButton   = 0x53
	usagePIDTriggerRepeat   = 0x54
	usagePIDAxesEnable      = 0x55
	usagePIDDirectionOn     = 0x56
	usagePIDDirection       = 0x57
	usagePIDSetEnvelope     = 0x5a
	usagePIDAttackLevel     = 0x5b
	usagePIDAttackTime      = 0x5c
	usagePIDFadeLevel       = 0x5d
	usagePIDFadeTime        = 0x5e
	usagePIDSetCondition    = 0x5f
	usagePIDCenter          = 0x60
	usagePIDPosCoefficient  = 0x61
	usagePIDNegCoefficient  = 0x62
	usagePIDPosSaturation   = 0x63
	usagePIDNegSaturation   = 0x64
	usagePIDDeadBand        = 0x65
	usagePIDSetPeriodic     = 0x6e
	usagePIDOffset          = 0x6f
	usagePIDMagnitude       = 0x70
	usagePIDPhase           = 0x71
	usagePIDPeriod          = 0x72
	usagePIDSetConstant     = 0x73
	usagePIDSetRamp         = 0x74
	usagePIDRampStart       = 0x75
	usagePIDRampEnd         = 0x76
	usagePIDOperation       = 0x77
	usagePIDOperationChoice = 0x78 // followed by start, start solo, stop
	usagePIDLoopCount       = 0x7c
	usagePIDDeviceGain      = 0x7d
	usagePIDDeviceGainField = 0x7e
	usagePIDPool            = 0x7f
	usagePIDPoolSize        = 0x80
	usagePIDSimultaneous    = 0x83
	usagePIDBlockLoad       = 0x89
	usagePIDLoadStatus      = 0x8b // followed by success, full, error
	usagePIDBlockFree       = 0x90
	usagePIDDeviceControl   = 0x96 // followed by actuators on, off, stop all, reset, pause, continue
	usagePIDStartDelay      = 0xa7
	usagePIDManagedPool     = 0xa9
	usagePIDSharedBlocks    = 0xaa
	usagePIDCreateEffect    = 0xab
	usagePIDPoolAvailable   = 0xac
)

// DirectDrive returns the report descriptor of a direct-drive wheel of the PID class, which the kernel's
// hid-pidff drives.
//
// Input report: X (steering), Z (gas), Rz (brake) and Y (clutch) with 16 bits each, 16 buttons. Numbers longer
// than a byte are little-endian.
func DirectDrive() []byte {
	d := &Descriptor{}
	d.Page(PageDesktop).Usages(UsageJoystick).Collection(Application)
	d.ReportID(PIDInput).Usages(UsageX, UsageZ, UsageRz, UsageY).Range(0, 0xffff).Fields(4, 16).Input(Variable)
	d.Page(PageButton).UsageRange(1, 16).Range(0, 1).Fields(16, 1).Input(Variable)
	d.Page(PagePID)
	d.pidEffect()
	d.pidEnvelopeAndCondition()
	d.pidParameters()
	d.pidOperations()
	d.pidFeatures()
	return *d.End()
}

// pidReport starts the collection of one report. The methods below append the fields of reports.
func (d *Descriptor) pidReport(usage, id uint32) *Descriptor {
	return d.Usages(usage).Collection(Group).ReportID(id)
}

// pidIndex describes a field of one byte for the number of an effect's slot; Output or Feature must follow.
func (d *Descriptor) pidIndex() *Descriptor {
	return d.Usages(usagePIDBlockIndex).Range(1, PIDSlots).Fields(1, 8)
}

// pidChoice describes a field of one byte that selects one of the usages, counted from 1; Output or Feature, and
// End, must follow.
func (d *Descriptor) pidChoice(group uint32, choices ...uint32) *Descriptor {
	d.Usages(group).Collection(Group).Usages(choices...)
	return d.Range(1, int32(len(choices))).Fields(1, 8)
}

// pidTypes describes a field for the type of an effect: constant, ramp, square, sine, triangle, sawtooth up,
// sawtooth down, spring, damper, inertia, friction. Output or Feature, and End, must follow.
func (d *Descriptor) pidTypes() *Descriptor {
	return d.pidChoice(usagePIDEffectType, 0x26, 0x27, 0x30, 0x31, 0x32, 0x33, 0x34, 0x40, 0x41, 0x42, 0x43)
}

// pidWords appends output fields of two bytes.
func (d *Descriptor) pidWords(low, high int32, usages ...uint32) *Descriptor {
	return d.Usages(usages...).Range(low, high).Fields(uint32(len(usages)), 16).Output(Variable)
}

// pidTimes appends output fields of two bytes for times in milliseconds.
func (d *Descriptor) pidTimes(usages ...uint32) *Descriptor {
	return d.Unit(Seconds).Exponent(-3).pidWords(0, pidLongestMS, usages...).Unit(0).Exponent(0)
}

// pidEffect appends the report with the parameters that all types of effects have.
func (d *Descriptor) pidEffect() {
	d.pidReport(usagePIDSetEffect, PIDSetEffect).pidIndex().Output(Variable)
	d.pidTypes().Output(0).End()
	d.pidTimes(usagePIDDuration, usagePIDTriggerRepeat, usagePIDStartDelay)
	d.Usages(usagePIDGain).Range(0, PIDFullGain).Fields(1, 8).Output(Variable)
	d.Usages(usagePIDTriggerButton).Range(0, 16).Fields(1, 8).Output(Variable)
	d.Usages(usagePIDAxesEnable).Collection(Group).Page(PageDesktop).Usages(UsageX).Range(0, 1).Fields(1, 1).Output(Variable).End()
	d.Page(PagePID).Usages(usagePIDDirectionOn).Fields(1, 1).Output(Variable)
	d.Fields(1, 6).Output(Constant)
	d.Usages(usagePIDDirection).Collection(Group).Page(pageOrdinals).Unit(Degrees).Exponent(-2)
	d.pidWords(0, PIDFullTurn, 1, 2).Unit(0).Exponent(0).End()
	d.Page(PagePID).End()
}

// pidEnvelopeAndCondition appends the reports with an effect's envelope and its condition.
func (d *Descriptor) pidEnvelopeAndCondition() {
	d.pidReport(usagePIDSetEnvelope, PIDSetEnvelope).pidIndex().Output(Variable)
	d.pidWords(0, PIDFull, usagePIDAttackLevel, usagePIDFadeLevel).pidTimes(usagePIDAttackTime, usagePIDFadeTime).End()
	d.pidReport(usagePIDSetCondition, PIDSetCondition).pidIndex().Output(Variable)
	d.Usages(usagePIDParameterBlock).Range(0, 1).Fields(1, 8).Output(Variable)
	d.pidWords(-PIDFull, PIDFull, usagePIDCenter, usagePIDPosCoefficient, usagePIDNegCoefficient)
	d.pidWords(0, PIDFull, usagePIDPosSaturation, usagePIDNegSaturation, usagePIDDeadBand).End()
}

// pidParameters appends the reports with the parameters of periodic, constant and ramp effects.
func (d *Descriptor) pidParameters() {
	d.pidReport(usagePIDSetPeriodic, PIDSetPeriodic).pidIndex().Output(Variable)
	d.pidWords(0, PIDFull, usagePIDMagnitude).pidWords(-PIDFull, PIDFull, usagePIDOffset)
	d.pidWords(0, PIDFullTurn, usagePIDPhase).pidTimes(usagePIDPeriod).End()
	d.pidReport(usagePIDSetConstant, PIDSetConstant).pidIndex().Output(Variable)
	d.pidWords(-PIDFull, PIDFull, usagePIDMagnitude).End()
	d.pidReport(usagePIDSetRamp, PIDSetRamp).pidIndex().Output(Variable)
	d.pidWords(-PIDFull, PIDFull, usagePIDRampStart, usagePIDRampEnd).End()
}

// pidOperations appends the reports that start, stop and free effects, and those that control the whole device.
func (d *Descriptor) pidOperations() {
	d.pidReport(usagePIDOperation, PIDOperation).pidIndex().Output(Variable)
	d.pidChoice(usagePIDOperationChoice, 0x79, 0x7a, 0x7b).Output(0).End()
	d.Usages(usagePIDLoopCount).Range(0, PIDAlways).Fields(1, 8).Output(Variable).End()
	d.pidReport(usagePIDBlockFree, PIDBlockFree).pidIndex().Output(Variable).End()
	d.Usages(usagePIDDeviceControl).Collection(Group).ReportID(PIDDeviceControl)
	d.Usages(0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c).Range(1, 6).Fields(1, 8).Output(0).End()
	d.pidReport(usagePIDDeviceGain, PIDDeviceGain).Usages(usagePIDDeviceGainField)
	d.Range(0, PIDFullGain).Fields(1, 8).Output(Variable).End()
}

// pidFeatures appends the feature reports that allocate a slot for an effect.
func (d *Descriptor) pidFeatures() {
	d.pidReport(usagePIDCreateEffect, PIDCreateEffect).pidTypes().Feature(0).End()
	d.Page(PageDesktop).Usages(usageByteCount).Range(0, 511).Fields(1, 10).Feature(Variable)
	d.Fields(1, 6).Feature(Constant).Page(PagePID).End()
	d.pidReport(usagePIDBlockLoad, PIDBlockLoad).pidIndex().Feature(Variable)
	d.pidChoice(usagePIDLoadStatus, 0x8c, 0x8d, 0x8e).Feature(0).End()
	d.Usages(usagePIDPoolAvailable).Range(0, 0xffff).Fields(1, 16).Feature(Variable).End()
	d.pidReport(usagePIDPool, PIDPool).Usages(usagePIDPoolSize).Range(0, 0xffff).Fields(1, 16).Feature(Variable)
	d.Usages(usagePIDSimultaneous).Range(0, 255).Fields(1, 8).Feature(Variable)
	d.Usages(usagePIDManagedPool, usagePIDSharedBlocks).Range(0, 1).Fields(2, 1).Feature(Variable)
	d.Fields(1, 6).Feature(Constant).End()
}
