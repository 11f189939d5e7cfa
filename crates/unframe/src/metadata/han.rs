//! Names of authors in Chinese, Japanese and Korean, where neither names nor sentences contain spaces.

/// Maximum number of characters in a name.
const NAME_MAX: usize = 15;
/// Maximum number of characters in each name of a comma-separated list.
const LISTED_MAX: usize = 5;

/// Labels of authors. Labels of sources and editors do not count, and `记者：` precedes questions in interviews.
const LABELS: [&str; 4] = ["作者", "撰文", "撰稿", "著者"];

/// Words before the names of reporters.
const REPORTERS: [&str; 2] = ["记者", "記者"];

/// Whether a text in these scripts, or with their punctuation, is too long for a name.
pub(super) fn is_sentence(text: &str) -> bool {
    let is_short = |part: &str| (1..=LISTED_MAX).contains(&part.trim().chars().count());
    if text.contains(['，', '；']) && text.split(['，', '；', '、']).all(is_short) {
        return false;
    }
    let has_sign = text.contains(['。', '！', '？', '，', '；', '：', '《', '》', '【', '】']);
    let parts = text.split([' ', '、', ';']);
    has_sign || parts.into_iter().any(|part| part.contains(is_han) && part.chars().count() > NAME_MAX)
}

/// The reporters in a line such as `本报记者 李明 2024-05-03` or `（记者 李明）`.
pub(super) fn reporters(line: &str) -> Option<String> {
    let rest = REPORTERS.iter().find_map(|label| Some(line.split_once(label)?.1))?;
    // Names may follow at once, or after a space; a colon precedes questions in interviews.
    let end = rest.find(|c: char| !c.is_alphanumeric() && !"·、 \u{3000}".contains(c)).unwrap_or(rest.len());
    let (names, after) = rest.split_at(end);
    let is_over = after.is_empty() || after.starts_with(['）', ')', '-', '/', '|', '｜', '【', '[']);
    let is_reporter = |name: &&str| is_name(name) && (2..=4).contains(&name.chars().count());
    let words = names.split(['、', ' ', '\u{3000}']).filter(|name| !name.is_empty());
    let names: Vec<&str> = words.take_while(is_reporter).collect();
    (is_over && !names.is_empty()).then(|| names.join("; "))
}

/// The author after a label in a line such as `2024年4月1日 来源：新华社 作者：李明`; an empty name if the line ends with the label.
pub(super) fn labelled(line: &str) -> Option<String> {
    let rest = LABELS.iter().find_map(|label| {
        let rest = line.split_once(label)?.1.trim_start();
        rest.strip_prefix(['：', ':', '/', '／'])
    })?;
    let rest = rest.trim();
    let end = rest.find(|c: char| !c.is_alphanumeric() && !"·•、".contains(c)).unwrap_or(rest.len());
    let (names, after) = rest.split_at(end);
    // Text that continues as a sentence is not a name.
    let is_over = !after.starts_with(['，', '。', '！', '？', '；', '：', ',', '?', '!']);
    let names: Vec<&str> = names.split('、').filter(|name| !name.is_empty()).collect();
    (is_over && names.iter().all(|name| is_name(name))).then(|| names.join("; "))
}

/// Whether a text is a name in these scripts.
pub(super) fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "·•".contains(c);
    (2..=NAME_MAX).contains(&text.chars().count()) && text.starts_with(is_han) && text.chars().all(is_part)
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_no_names() {
        for text in [
            "新馆面积达十一万平方米，藏书四百八十万册",
            "来源：新华社",
            "华盛顿达成的共识迎来积极具体进展",
            "对规模预期是多少？",
        ] {
            assert!(is_sentence(text), "{text}");
        }
        for text in
            ["李明", "张三、李四", "张三，李四", "新华社 李明", "加西亚·马尔克斯", "Ann Lee, tea editor"]
        {
            assert!(!is_sentence(text), "{text}");
        }
    }

    #[test]
    fn labels_name_authors() {
        let check =
            |line: &str, expected: Option<&str>| assert_eq!(labelled(line).as_deref(), expected, "{line}");
        check("2024年4月1日 09:30 来源：新华社 作者：李明", Some("李明"));
        check("作者:张三、李四 编辑:王五", Some("张三; 李四"));
        check("作者：", Some(""));
        check("责任编辑：李明", None);
        check("来源：新华社", None);
        check("作者：我们为什么喝茶？", None);
        check("作者认为，茶很热。", None);
        check("作者：Ann Lee", None);
    }

    #[test]
    fn reporters_are_authors() {
        let check =
            |line: &str, expected: Option<&str>| assert_eq!(reporters(line).as_deref(), expected, "{line}");
        check("本报记者 李明 2024-05-03", Some("李明"));
        check("（记者 李明 王小红）发布时间：2024-05-03", Some("李明; 王小红"));
        check("新华社记者李明、王红", Some("李明; 王红"));
        check("记者：今天的茶热吗？", None);
        check("记者了解到，茶很热。", None);
    }
}
