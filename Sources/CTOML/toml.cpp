#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "CTOML.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Leaf {
  std::string path;
  const toml::node *node;
  toml::source_position place;
  int index;
};

void collect(const toml::table &table, const std::string &prefix, std::vector<Leaf> &leaves) {
  for (auto &&[key, node] : table) {
    std::string path = prefix.empty() ? std::string(key.str())
                                      : prefix + '\x1f' + std::string(key.str());
    auto place = key.source().begin;
    if (auto inner = node.as_table()) {
      if (inner->empty()) leaves.push_back({path, &node, place, -1});
      collect(*inner, path, leaves);
    } else if (auto array = node.as_array()) {
      int index = 0;
      for (auto &&element : *array) {
        if (auto inner = element.as_table())
          collect(*inner, path + '\x1f' + std::to_string(index), leaves);
        else
          leaves.push_back({path, &element, place, index});
        index++;
      }
      /* An empty array is a value, too: the empty list. */
      if (array->empty()) leaves.push_back({path, &node, place, 0});
    } else {
      leaves.push_back({path, &node, place, -1});
    }
  }
}

}  // namespace

bool ctoml_parse(const char *text, size_t length, ctoml_visit visit, void *context,
                 ctoml_error *error) {
  auto result = toml::parse(std::string_view(text, length));
  if (!result) {
    auto words = result.error().description();
    size_t kept = std::min(words.size(), sizeof error->message - 1);
    std::memcpy(error->message, words.data(), kept);
    error->message[kept] = 0;
    error->line = result.error().source().begin.line;
    error->column = result.error().source().begin.column;
    return false;
  }
  std::vector<Leaf> leaves;
  collect(result.table(), "", leaves);
  std::stable_sort(leaves.begin(), leaves.end(), [](const Leaf &a, const Leaf &b) {
    return a.place.line != b.place.line ? a.place.line < b.place.line
                                        : a.place.column < b.place.column;
  });
  for (auto &leaf : leaves) {
    ctoml_value value{};
    value.path = leaf.path.c_str();
    value.index = leaf.index;
    value.line = leaf.place.line;
    value.column = leaf.place.column;
    if (auto string = leaf.node->as_string()) {
      value.kind = CTOML_STRING;
      value.string = string->get().c_str();
    } else if (auto integer = leaf.node->as_integer()) {
      value.kind = CTOML_INTEGER;
      value.integer = integer->get();
    } else if (auto number = leaf.node->as_floating_point()) {
      value.kind = CTOML_FLOAT;
      value.number = number->get();
    } else if (auto boolean = leaf.node->as_boolean()) {
      value.kind = CTOML_BOOLEAN;
      value.boolean = boolean->get();
    } else if (leaf.node->is_table() || leaf.node->is_array()) {
      value.kind = CTOML_TABLE;
    } else {
      value.kind = CTOML_OTHER;
    }
    visit(&value, context);
  }
  return true;
}
