package opendrive

import "encoding/xml"

// The file's elements as they stand. Every number is a num. What has no field is counted
// by the sieve.

type rawMap struct {
	XMLName   xml.Name      `xml:"OpenDRIVE"`
	Header    rawHeader     `xml:"header"`
	Roads     []rawRoad     `xml:"road"`
	Junctions []rawJunction `xml:"junction"`
}

type rawHeader struct {
	Major        num    `xml:"revMajor,attr"`
	Minor        num    `xml:"revMinor,attr"`
	Name         string `xml:"name,attr"`
	Vendor       string `xml:"vendor,attr"`
	GeoReference string `xml:"geoReference"`
}

type rawRoad struct {
	ID             string        `xml:"id,attr"`
	Name           string        `xml:"name,attr"`
	Length         num           `xml:"length,attr"`
	Junction       string        `xml:"junction,attr"`
	Link           rawLinks      `xml:"link"`
	Plan           []rawGeometry `xml:"planView>geometry"`
	Elevation      []rawPoly     `xml:"elevationProfile>elevation"`
	Superelevation []rawPoly     `xml:"lateralProfile>superelevation"`
	Crossfall      []rawPoly     `xml:"lateralProfile>crossfall"`
	Shape          []rawPoly     `xml:"lateralProfile>shape"`
	LaneOffset     []rawPoly     `xml:"lanes>laneOffset"`
	Sections       []rawSection  `xml:"lanes>laneSection"`
}

type rawLinks struct {
	Predecessor rawLink `xml:"predecessor"`
	Successor   rawLink `xml:"successor"`
}

type rawLink struct {
	Kind    string `xml:"elementType,attr"`
	ID      string `xml:"elementId,attr"`
	Contact string `xml:"contactPoint,attr"`
}

type rawGeometry struct {
	S      num        `xml:"s,attr"`
	X      num        `xml:"x,attr"`
	Y      num        `xml:"y,attr"`
	Hdg    num        `xml:"hdg,attr"`
	Length num        `xml:"length,attr"`
	Line   *struct{}  `xml:"line"`
	Arc    *rawArc    `xml:"arc"`
	Spiral *rawSpiral `xml:"spiral"`
	Poly   *rawPoly   `xml:"poly3"`
	Param  *rawParam  `xml:"paramPoly3"`
}

type rawArc struct {
	Curvature num `xml:"curvature,attr"`
}

type rawSpiral struct {
	Start num `xml:"curvStart,attr"`
	End   num `xml:"curvEnd,attr"`
}

type rawParam struct {
	AU    num    `xml:"aU,attr"`
	BU    num    `xml:"bU,attr"`
	CU    num    `xml:"cU,attr"`
	DU    num    `xml:"dU,attr"`
	AV    num    `xml:"aV,attr"`
	BV    num    `xml:"bV,attr"`
	CV    num    `xml:"cV,attr"`
	DV    num    `xml:"dV,attr"`
	Range string `xml:"pRange,attr"`
}

// rawPoly is a cubic from S or SOffset on; shapes have a T too.
type rawPoly struct {
	S       num    `xml:"s,attr"`
	SOffset num    `xml:"sOffset,attr"`
	T       num    `xml:"t,attr"`
	Side    string `xml:"side,attr"`
	A       num    `xml:"a,attr"`
	B       num    `xml:"b,attr"`
	C       num    `xml:"c,attr"`
	D       num    `xml:"d,attr"`
}

type rawSection struct {
	S          num       `xml:"s,attr"`
	SingleSide string    `xml:"singleSide,attr"`
	Left       []rawLane `xml:"left>lane"`
	Center     []struct {
		Marks []rawMark `xml:"roadMark"`
	} `xml:"center>lane"`
	Right []rawLane `xml:"right>lane"`
}

type rawLane struct {
	ID     num    `xml:"id,attr"`
	Type   string `xml:"type,attr"`
	Level  string `xml:"level,attr"`
	Before []struct {
		ID num `xml:"id,attr"`
	} `xml:"link>predecessor"`
	After []struct {
		ID num `xml:"id,attr"`
	} `xml:"link>successor"`
	Width     []rawPoly     `xml:"width"`
	Border    []rawPoly     `xml:"border"`
	Materials []rawMaterial `xml:"material"`
	Marks     []rawMark     `xml:"roadMark"`
	Heights   []rawHeight   `xml:"height"`
}

type rawMaterial struct {
	SOffset   num    `xml:"sOffset,attr"`
	Surface   string `xml:"surface,attr"`
	Friction  num    `xml:"friction,attr"`
	Roughness num    `xml:"roughness,attr"`
}

type rawMark struct {
	SOffset  num    `xml:"sOffset,attr"`
	Type     string `xml:"type,attr"`
	Color    string `xml:"color,attr"`
	Material string `xml:"material,attr"`
	Width    num    `xml:"width,attr"`
}

type rawHeight struct {
	SOffset num `xml:"sOffset,attr"`
	Inner   num `xml:"inner,attr"`
	Outer   num `xml:"outer,attr"`
}

type rawJunction struct {
	ID          string `xml:"id,attr"`
	Name        string `xml:"name,attr"`
	Connections []struct {
		ID         string `xml:"id,attr"`
		Incoming   string `xml:"incomingRoad,attr"`
		Connecting string `xml:"connectingRoad,attr"`
		Contact    string `xml:"contactPoint,attr"`
		Lanes      []struct {
			From num `xml:"from,attr"`
			To   num `xml:"to,attr"`
		} `xml:"laneLink"`
	} `xml:"connection"`
}
