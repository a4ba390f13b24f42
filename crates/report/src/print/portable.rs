//! File names that do not depend on the machine.

/// The name of a file in reports, independent of the machine.
///
/// A relative path keeps its folders, with `/`; an absolute path is reduced to the file name.
pub(crate) fn portable(file: &str) -> String {
    let file = file.replace('\\', "/");
    let drive = file.as_bytes().get(1) == Some(&b':');
    if file.starts_with('/') || drive {
        let name = file.rsplit('/').next();
        return name.unwrap_or("level").to_owned();
    }
    file.strip_prefix("./").unwrap_or(&file).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_name_no_folders_of_the_machine() {
        assert_eq!(portable("/levels/a.glb"), "a.glb");
        assert_eq!(portable("C:\\levels\\a.glb"), "a.glb");
        assert_eq!(portable("./levels/a.glb"), "levels/a.glb");
        assert_eq!(portable("levels\\a.glb"), "levels/a.glb");
    }
}
