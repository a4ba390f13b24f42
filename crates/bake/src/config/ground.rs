//! Kinds of ground in the config: areas, rules, volumes, terrain of grid maps, switches and tags.

use std::collections::BTreeMap;

use navbake_level::{Role, Tag};
use serde::{Deserialize, Serialize};

/// A kind of ground that weights and rules can name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaConfig {
    /// Its name.
    pub name: String,
    /// The switch that closes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// Tags of all its ground.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<TagConfig>,
    /// Tags of the edges that it ends at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edge_tags: Vec<TagConfig>,
}

/// Something that queries may say is closed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchConfig {
    /// What queries call it.
    pub name: String,
    /// Is it closed when the level begins?
    #[serde(default)]
    pub closed: bool,
}

/// One of the 32 tags.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "each of `tags` must be a bit's number, 0 to 31, or a name of the list `tags` at the top, in quotes"
)]
pub enum TagConfig {
    /// The number of its bit.
    Bit(i64),
    /// Its name.
    Name(String),
}

/// What the parts of a level with certain names are. Patterns know `*` (any run of characters, `/`
/// included) and `?` (one character); every pattern given must match. A `node` pattern without a
/// `/` is tried on each name of the part's path as well, so that it covers everything below a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Pattern for the path of node names (OBJ: the object or group).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Pattern for the mesh name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// Pattern for the material name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// The number that triangles have by themselves: in glTF the vertex attribute `_AREA`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<u16>,
    /// Letters match whatever their case.
    #[serde(default)]
    pub ignore_case: bool,
    /// What those parts are.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "role_name")]
    pub role: Option<Role>,
    /// The area of their ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    /// The switch that closes their ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// Tags of their ground, beside those it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<TagConfig>,
    /// Tags of the edges that ground of its name ends at, beside those it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edge_tags: Vec<TagConfig>,
}

mod role_name {
    use navbake_level::Role;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "Role", rename_all = "lowercase")]
    enum RoleName {
        Ground,
        Obstacle,
        Ignored,
        Floor,
    }

    #[derive(Serialize, Deserialize)]
    struct Named(#[serde(with = "RoleName")] Role);

    pub(super) fn serialize<S: Serializer>(role: &Option<Role>, to: S) -> Result<S::Ok, S::Error> {
        role.map(Named).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Role>, D::Error> {
        Ok(Some(Named::deserialize(from)?.0))
    }
}

/// A convex piece of space; the ground within gets what it says, whatever rules said before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeConfig {
    /// What messages call it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// A box between two opposite corners, y-up metres.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub corners: Option<[[f64; 3]; 2]>,
    /// The corners of a convex polygon seen from above, x and z in metres, in either direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polygon: Option<Vec<[f64; 2]>>,
    /// The least and greatest height of a polygon's volume, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<[f64; 2]>,
    /// The area of the ground within.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    /// The switch that closes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// Its tags, beside those it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<TagConfig>,
    /// Tags of the edges that ground of its name ends at, beside those it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edge_tags: Vec<TagConfig>,
}

/// What the terrains of a grid map are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terrain {
    /// The areas of terrain 0, 1 and so on.
    pub names: Vec<String>,
    /// A PNG with a texel a cell that says the terrain of each, beside the config.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// What each colour of the image is: a name of `names`, or `blocked`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub colours: BTreeMap<String, String>,
}

impl Terrain {
    /// What a colour says of a cell that cannot be walked on.
    pub const BLOCKED: &str = "blocked";
}

/// How maps of ROS are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MapServerConfig {
    /// What cells are of which nothing is known.
    pub unknown: UnknownCells,
}

/// What cells are of which nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnknownCells {
    /// Blocked, as occupied ones.
    #[default]
    Blocked,
    /// Free.
    Free,
}

/// The red, green and blue of `#rrggbb`.
pub(crate) fn colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|d| d.len() == 6)?;
    let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = is_hex.then(|| u32::from_str_radix(digits, 16).ok())??;
    let [_, r, g, b] = number.to_be_bytes();
    Some([r, g, b])
}

impl From<&Tag> for TagConfig {
    fn from(tag: &Tag) -> Self {
        match tag {
            Tag::Bit(bit) => TagConfig::Bit((*bit).into()),
            Tag::Name(name) => TagConfig::Name(name.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_six_hexadecimal_digits() {
        assert_eq!(colour("#01fFa0"), Some([1, 255, 160]));
        for bad in ["01ffa0", "#01ffa", "#01ffa00", "#01ffg0", "#+1ffa0", "#é1ff", ""] {
            assert_eq!(colour(bad), None, "{bad}");
        }
    }
}
