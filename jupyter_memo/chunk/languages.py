"""The languages that tree-sitter grammars read, how definitions look in each, and whose files they are."""

from __future__ import annotations

from dataclasses import dataclass


def types(names: str) -> frozenset[str]:
    """Types of nodes, named in one text."""
    return frozenset(names.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How definitions look in one language: types of nodes that define something, those of them that hold further
    definitions worth a passage of their own, and those around definitions that define nothing."""

    package: str
    function: str = "language"
    definitions: frozenset[str]
    holders: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()


_SCRIPT = Language(
    package="tree_sitter_javascript",
    definitions=types("function_declaration generator_function_declaration class_declaration method_definition"),
    holders=types("class_declaration"),
    around=types("export_statement class_body"),
)
_TYPED = Language(
    package="tree_sitter_typescript",
    function="language_typescript",
    definitions=_SCRIPT.definitions
    | types("abstract_class_declaration interface_declaration type_alias_declaration enum_declaration")
    | types("internal_module module function_signature"),
    holders=_SCRIPT.holders | types("abstract_class_declaration internal_module module"),
    around=_SCRIPT.around | types("expression_statement statement_block ambient_declaration"),
)
_C = Language(
    package="tree_sitter_c",
    definitions=types("function_definition struct_specifier union_specifier enum_specifier type_definition"),
    around=types("preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification declaration_list"),
)

LANGUAGES: dict[str, Language] = {
    "javascript": _SCRIPT,
    "typescript": _TYPED,
    "tsx": Language(
        package="tree_sitter_typescript",
        function="language_tsx",
        definitions=_TYPED.definitions,
        holders=_TYPED.holders,
        around=_TYPED.around,
    ),
    "julia": Language(
        package="tree_sitter_julia",
        definitions=types("function_definition macro_definition struct_definition abstract_definition")
        | types("module_definition"),
        holders=types("module_definition"),
    ),
    "c": _C,
    "cpp": Language(
        package="tree_sitter_cpp",
        definitions=_C.definitions | types("class_specifier namespace_definition concept_definition"),
        holders=types("class_specifier struct_specifier namespace_definition"),
        around=_C.around | types("template_declaration field_declaration_list"),
    ),
    "fortran": Language(
        package="tree_sitter_fortran",
        definitions=types("module submodule program subroutine function derived_type_definition interface"),
        holders=types("module submodule program"),
        around=types("internal_procedures"),
    ),
    "java": Language(
        package="tree_sitter_java",
        definitions=types("class_declaration interface_declaration enum_declaration record_declaration")
        | types("method_declaration constructor_declaration annotation_type_declaration"),
        holders=types("class_declaration interface_declaration enum_declaration record_declaration"),
        around=types("class_body interface_body enum_body enum_body_declarations"),
    ),
    "go": Language(
        package="tree_sitter_go", definitions=types("function_declaration method_declaration type_declaration")
    ),
    "rust": Language(
        package="tree_sitter_rust",
        definitions=types("function_item struct_item enum_item union_item type_item macro_definition trait_item")
        | types("impl_item mod_item"),
        holders=types("trait_item impl_item mod_item"),
        around=types("declaration_list"),
    ),
    "bash": Language(package="tree_sitter_bash", definitions=types("function_definition")),
    "matlab": Language(
        package="tree_sitter_matlab",
        definitions=types("function_definition class_definition"),
        holders=types("class_definition"),
        around=types("methods"),
    ),
}

SUFFIXES: dict[str, str] = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    ".tsx": "tsx",
    ".jl": "julia",
    ".c": "c",
    **dict.fromkeys((".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".cu"), "cpp"),
    **dict.fromkeys((".f", ".for", ".f90", ".f95", ".f03", ".f08"), "fortran"),
    ".java": "java",
    ".go": "go",
    ".rs": "rust",
    **dict.fromkeys((".sh", ".bash"), "bash"),
    ".m": "matlab",
}
"""Suffixes, in lower case, and their languages."""
