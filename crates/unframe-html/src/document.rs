//! The DOM tree of a page.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::builder::{self, Context};
use super::foreign_names;
use super::pieces::{Piece, PieceLog};
use super::problem::{ParseProblem, ParseProblems};
use super::source::{Source, SourceMemory};
use super::span::Span;
use super::tag::{Namespace, Tag, TagNames};
use super::tokenizer::{Attribute, AttributeRange, Doctype, TextKind, Tokenizer};

/// Parses pages one after the other, reusing its memory.
#[derive(Debug, Default)]
pub struct Parser {
    memory: SourceMemory,
    tree: TreeMemory,
}

/// Memory for the tree of a page, reused for every page.
#[derive(Debug, Default)]
pub struct TreeMemory {
    nodes: Vec<NodeData>,
    attributes: Vec<Attribute>,
    names: TagNames,
    working: builder::Working,
}

impl Parser {
    /// A parser without a page.
    pub fn new() -> Parser {
        Parser::default()
    }

    /// Bytes of memory that the parser keeps for the next page: a few times the length of the longest page so far.
    pub fn kept_bytes(&self) -> usize {
        self.tree.nodes.capacity() * size_of::<NodeData>()
            + self.tree.attributes.capacity() * size_of::<Attribute>()
            + self.memory.kept_bytes()
    }

    /// Opens a page for reading token by token, without a tree.
    pub fn source<'p>(&'p mut self, payload: &'p [u8], encoding: &'static Encoding) -> Source<'p> {
        self.memory.open(payload, encoding)
    }

    /// Parses a page. Any bytes parse; problems are in [`Document::problems`].
    pub fn parse<'p>(&'p mut self, payload: &'p [u8], encoding: &'static Encoding) -> Document<'p> {
        self.memory.open(payload, encoding).parse(&mut self.tree)
    }

    /// Parses a fragment of a page as if it were inside an element named `context`.
    pub fn parse_fragment<'p>(
        &'p mut self,
        payload: &'p [u8],
        encoding: &'static Encoding,
        namespace: Namespace,
        context: &str,
    ) -> Document<'p> {
        self.memory.open(payload, encoding).parse_with(&mut self.tree, Some((namespace, context)), None)
    }

    /// Opens a page, and returns it together with the memory for its tree, for [`Source::parse`].
    pub fn open<'p>(
        &'p mut self,
        payload: &'p [u8],
        encoding: &'static Encoding,
    ) -> (Source<'p>, &'p mut TreeMemory) {
        (self.memory.open(payload, encoding), &mut self.tree)
    }
}

impl<'p> Source<'p> {
    /// Builds the tree of the page.
    pub fn parse(&self, memory: &'p mut TreeMemory) -> Document<'p> {
        self.parse_with(memory, None, None)
    }

    /// Builds the tree of the page, and its [`Pieces`](crate::Pieces) from the same tokens. The second value is false if tree construction
    /// needed other tokens than [`Pieces`](crate::Pieces); the pieces are wrong then.
    pub fn parse_with_pieces(
        &self,
        memory: &'p mut TreeMemory,
        pieces: &mut Vec<Piece>,
    ) -> (Document<'p>, bool) {
        let mut log = PieceLog::new(pieces);
        let document = self.parse_with(memory, None, Some(&mut log));
        (document, log.is_right())
    }

    fn parse_with(
        &self,
        memory: &'p mut TreeMemory,
        context: Option<(Namespace, &str)>,
        log: Option<&mut PieceLog<'_>>,
    ) -> Document<'p> {
        let attributes = std::mem::take(&mut memory.attributes);
        let names = std::mem::take(&mut memory.names);
        let mut tokenizer = Tokenizer::reusing(self.bytes(), self.start(), attributes, names);
        let context =
            context.map(|(namespace, name)| Context { namespace, tag: tokenizer.names.tag(name.as_bytes()) });
        let built = builder::build(tokenizer, &mut memory.nodes, &mut memory.working, context, log);
        memory.attributes = built.attributes;
        memory.names = built.names;
        let mut problems = built.problems;
        if self.is_cut() {
            problems.add(ParseProblem::TooLong, self.bytes().len());
        }
        problems.map_positions(|position| self.original(Span::empty(position)).start);
        Document {
            source: *self,
            nodes: &memory.nodes,
            attributes: &memory.attributes,
            names: &memory.names,
            doctype: built.doctype,
            quirks: built.quirks,
            problems,
        }
    }
}

/// The tree of a page. All positions refer to the page as it was given to [`Parser::parse`].
#[derive(Debug)]
pub struct Document<'p> {
    source: Source<'p>,
    nodes: &'p [NodeData],
    attributes: &'p [Attribute],
    names: &'p TagNames,
    doctype: Option<Doctype>,
    quirks: bool,
    problems: ParseProblems,
}

impl Document<'_> {
    /// The root, whose children are the document type, comments, and the element `html`.
    pub fn root(&self) -> Node<'_> {
        self.node(NodeId(0))
    }

    /// The number of nodes created while parsing, including nodes that tree construction removed again.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in document order, the root first.
    pub fn descendants(&self) -> Descendants<'_> {
        self.root().descendants()
    }

    /// All HTML elements with that name, in document order.
    pub fn elements<'d>(&'d self, name: &str) -> impl Iterator<Item = Node<'d>> {
        self.descendants().filter(move |node| {
            node.kind() == NodeKind::Element
                && node.namespace() == Namespace::Html
                && self.names.name(node.data().tag) == name.as_bytes()
        })
    }

    /// The source of the page.
    pub fn source(&self) -> &Source<'_> {
        &self.source
    }

    /// The problems found while parsing.
    pub fn problems(&self) -> &ParseProblems {
        &self.problems
    }

    /// Whether browsers render the page in quirks mode.
    pub fn quirks(&self) -> bool {
        self.quirks
    }

    /// The node with that [`Node::index`].
    pub fn node_at(&self, index: usize) -> Node<'_> {
        self.node(NodeId(index as u32))
    }

    fn node(&self, id: NodeId) -> Node<'_> {
        Node { document: self, id }
    }
}

/// The index of a node in the arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// No node: the root is never a child or a sibling.
    pub(crate) const NONE: NodeId = NodeId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn is_some(self) -> bool {
        self != NodeId::NONE
    }
}

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The root.
    Document,
    /// `<!doctype html>`
    Doctype,
    /// An element.
    Element,
    /// A contiguous run of text. Text that contains an ignored tag is split into adjacent nodes.
    Text,
    /// A comment.
    Comment,
}

/// The data of a node in the arena, flat and small.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeData {
    pub(crate) parent: NodeId,
    pub(crate) first_child: NodeId,
    pub(crate) last_child: NodeId,
    pub(crate) previous: NodeId,
    pub(crate) next: NodeId,
    /// The start of the node.
    pub(crate) start: u32,
    /// The end of an element's start tag, or the start of a comment's data.
    pub(crate) open_end: u32,
    /// The start of an element's end tag, or `end` if there is none; the end of a comment's data.
    pub(crate) close_start: u32,
    /// The end of the node; [`NodeData::OPEN_END`] while it is unknown.
    pub(crate) end: u32,
    pub(crate) attributes: AttributeRange,
    pub(crate) tag: Tag,
    pub(crate) kind: NodeKind,
    pub(crate) namespace: Namespace,
    pub(crate) text_kind: TextKind,
    pub(crate) flags: u8,
}

impl NodeData {
    /// A sentinel: larger than any position in a page.
    pub(crate) const OPEN_END: u32 = u32::MAX;
    /// Flag: the node's place in the tree differs from the place of its bytes; see [`Node::is_moved`].
    pub(crate) const MOVED: u8 = 1;
    /// Flag: the element is on the stack of open elements.
    pub(crate) const OPEN: u8 = 2;

    pub(crate) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(crate) fn set(&mut self, flag: u8, is_set: bool) {
        if is_set {
            self.flags |= flag;
        } else {
            self.flags &= !flag;
        }
    }
}

/// An attribute value that is decoded on demand.
#[derive(Debug, Clone, Copy)]
pub struct LazyValue<'d> {
    source: &'d Source<'d>,
    span: Span,
}

impl<'d> LazyValue<'d> {
    /// The decoded value.
    pub fn text(self) -> Cow<'d, str> {
        self.source.attribute_value(self.span)
    }

    /// The value as UTF-8 bytes. This is faster than [`LazyValue::text`], because most values need no decoding or validation.
    pub fn bytes(self) -> Cow<'d, [u8]> {
        match self.source.plain(self.span) {
            Some(plain) => Cow::Borrowed(plain),
            None => Cow::Owned(self.text().into_owned().into_bytes()),
        }
    }
}

/// A node of a [`Document`].
#[derive(Debug, Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document<'d>,
    id: NodeId,
}

impl<'d> Node<'d> {
    fn data(self) -> &'d NodeData {
        &self.document.nodes[self.id.index()]
    }

    fn optional(self, id: NodeId) -> Option<Node<'d>> {
        id.is_some().then_some(Node { id, ..self })
    }

    /// The node's index, less than [`Document::node_count`].
    pub fn index(self) -> usize {
        self.id.index()
    }

    /// The kind.
    pub fn kind(self) -> NodeKind {
        self.data().kind
    }

    /// The interned tag id of an element.
    pub fn tag(self) -> Option<Tag> {
        (self.kind() == NodeKind::Element).then_some(self.data().tag)
    }

    /// The name of an element or document type, in lower case except for SVG names such as `foreignObject`; empty for other nodes.
    pub fn name(self) -> Cow<'d, str> {
        match self.kind() {
            NodeKind::Element => {
                let name = self.document.source.name_of(self.document.names.name(self.data().tag));
                match self.namespace() {
                    Namespace::Svg => Cow::Owned(foreign_names::element(Namespace::Svg, &name).to_owned()),
                    _ => name,
                }
            }
            NodeKind::Doctype => self
                .document
                .doctype
                .and_then(|doctype| doctype.name)
                .map_or(Cow::Borrowed(""), |name| self.document.source.name(name)),
            _ => Cow::Borrowed(""),
        }
    }

    /// The namespace of an element.
    pub fn namespace(self) -> Namespace {
        self.data().namespace
    }

    /// The span of the whole node. The span of an element reaches from its start tag to its end tag or, without an end tag, to the tag that
    /// closed it. Elements that are implied rather than written in the page (`html`, `head`, `tbody`) span their content.
    pub fn span(self) -> Span {
        let data = self.data();
        self.document.source.original(Span { start: data.start, end: data.end })
    }

    /// The start tag of an element, if it is in the page.
    pub fn start_tag(self) -> Option<Span> {
        let data = self.data();
        (data.kind == NodeKind::Element && data.open_end > data.start)
            .then(|| self.document.source.original(Span { start: data.start, end: data.open_end }))
    }

    /// The end tag of an element, if it is in the page.
    pub fn end_tag(self) -> Option<Span> {
        let data = self.data();
        (data.kind == NodeKind::Element && data.close_start < data.end)
            .then(|| self.document.source.original(Span { start: data.close_start, end: data.end }))
    }

    /// Whether tree construction moved the node away from the place of its bytes: text in a table that belongs in front of the table,
    /// elements after `</body>`, elements that outlive the form around them. The span of such a node may lie outside its parent's.
    pub fn is_moved(self) -> bool {
        self.data().has(NodeData::MOVED)
    }

    /// The parent.
    pub fn parent(self) -> Option<Node<'d>> {
        // The children of the root have the parent 0, which is the root itself.
        (self.id.is_some()).then_some(Node { id: self.data().parent, ..self })
    }

    /// The first child.
    pub fn first_child(self) -> Option<Node<'d>> {
        self.optional(self.data().first_child)
    }

    /// The next sibling.
    pub fn next_sibling(self) -> Option<Node<'d>> {
        self.optional(self.data().next)
    }

    /// The previous sibling.
    pub fn previous_sibling(self) -> Option<Node<'d>> {
        self.optional(self.data().previous)
    }

    /// The children.
    pub fn children(self) -> impl Iterator<Item = Node<'d>> {
        std::iter::successors(self.first_child(), |child| child.next_sibling())
    }

    /// The parent, the grandparent, and so on up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'d>> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// The next node in document order that is not a descendant.
    pub fn next_outside(self) -> Option<Node<'d>> {
        std::iter::once(self).chain(self.ancestors()).find_map(Node::next_sibling)
    }

    /// The node and all its descendants, in document order.
    pub fn descendants(self) -> Descendants<'d> {
        Descendants { top: self, next: Some(self) }
    }

    /// The attributes in the order of the page. Names are in lower case except for SVG names such as `viewBox`; values are decoded.
    pub fn attributes(self) -> impl Iterator<Item = (Cow<'d, str>, Cow<'d, str>)> {
        let document = self.document;
        let namespace = self.namespace();
        self.raw_attributes().iter().map(move |attribute| {
            let value = document.source.attribute_value(attribute.value);
            let name = document.source.name(attribute.name);
            match namespace {
                Namespace::Html => (name, value),
                _ => (Cow::Owned(foreign_names::attribute(namespace, &name).to_owned()), value),
            }
        })
    }

    /// The value of the attribute `name`, which must be in lower case.
    pub fn attribute(self, name: &str) -> Option<Cow<'d, str>> {
        let document = self.document;
        let found = self.raw_attributes().iter().find(|attribute| {
            attribute.name.slice(document.source.bytes()).eq_ignore_ascii_case(name.as_bytes())
        })?;
        Some(document.source.attribute_value(found.value))
    }

    /// The attributes with their names as written and their values decoded on demand.
    pub fn lazy_attributes(self) -> impl Iterator<Item = (&'d [u8], LazyValue<'d>)> {
        let source = &self.document.source;
        self.raw_attributes().iter().map(move |attribute| {
            (attribute.name.slice(source.bytes()), LazyValue { source, span: attribute.value })
        })
    }

    /// The bytes of [`Source::bytes`] that the node was parsed from; for a text node, its text, not decoded.
    pub fn bytes(self) -> &'d [u8] {
        let data = self.data();
        Span { start: data.start, end: data.end }.slice(self.document.source.bytes())
    }

    /// The spans of the names and values of the attributes.
    pub fn attribute_spans(self) -> impl Iterator<Item = Attribute> {
        let document = self.document;
        self.raw_attributes().iter().map(move |attribute| Attribute {
            name: document.source.original(attribute.name),
            value: document.source.original(attribute.value),
        })
    }

    fn raw_attributes(self) -> &'d [Attribute] {
        match self.kind() {
            NodeKind::Element => &self.document.attributes[self.data().attributes.range()],
            _ => &[],
        }
    }

    /// The decoded text of a text node or comment; for other nodes, the text of all descendants.
    pub fn text(self) -> Cow<'d, str> {
        let data = self.data();
        match data.kind {
            NodeKind::Text => {
                self.document.source.text(Span { start: data.start, end: data.end }, data.text_kind)
            }
            NodeKind::Comment => {
                self.document.source.text(Span { start: data.open_end, end: data.close_start }, TextKind::Raw)
            }
            _ => {
                let texts = self.descendants().filter(|node| node.kind() == NodeKind::Text);
                Cow::Owned(texts.map(|node| node.text()).collect())
            }
        }
    }

    /// Calls `each` with every character of a text node, and the span of the page that it was decoded from.
    pub fn for_each_char(self, each: impl FnMut(char, Span)) {
        let data = self.data();
        if data.kind == NodeKind::Text {
            self.document.source.for_each_char(
                Span { start: data.start, end: data.end },
                data.text_kind,
                each,
            );
        }
    }

    /// The public identifier of a document type.
    pub fn public_id(self) -> Option<Cow<'d, str>> {
        self.doctype_id(|doctype| doctype.public)
    }

    /// The system identifier of a document type.
    pub fn system_id(self) -> Option<Cow<'d, str>> {
        self.doctype_id(|doctype| doctype.system)
    }

    fn doctype_id(self, id: impl Fn(Doctype) -> Option<Span>) -> Option<Cow<'d, str>> {
        let doctype = self.document.doctype.filter(|_| self.kind() == NodeKind::Doctype)?;
        id(doctype).map(|span| self.document.source.text(span, TextKind::Raw))
    }
}

/// A node and all its descendants, in document order; see [`Node::descendants`].
#[derive(Debug, Clone)]
pub struct Descendants<'d> {
    top: Node<'d>,
    next: Option<Node<'d>>,
}

impl<'d> Iterator for Descendants<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let current = self.next?;
        self.next = current.first_child().or_else(|| {
            let mut node = current;
            loop {
                if node.id == self.top.id {
                    return None;
                }
                if let Some(sibling) = node.next_sibling() {
                    return Some(sibling);
                }
                node = node.parent()?;
            }
        });
        Some(current)
    }
}
