package opendrive_test

import (
	"fmt"

	"rig.example/rig/road/opendrive"
)

// A straight road with one lane, read from its file's text.
func ExampleParse() {
	const file = `<OpenDRIVE>
<header revMajor="1" revMinor="6"/>
<road id="7" length="100" junction="-1">
  <planView><geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry></planView>
  <lanes><laneSection s="0">
    <center><lane id="0" type="none"/></center>
    <right><lane id="-1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right>
  </laneSection></lanes>
</road>
</OpenDRIVE>`
	network, err := opendrive.Parse([]byte(file), "example.xodr")
	if err != nil {
		fmt.Println(err)
		return
	}
	pose := network.Road("7").At(50, -1)
	fmt.Printf("lane %d at x %.0f, y %.0f, z %.0f\n", pose.Lane, pose.Pos.X, pose.Pos.Y, pose.Pos.Z)
	// Output: lane -1 at x 50, y -1, z 0
}
