#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
/* The parser assumes that certain conditions hold for any text, and ends the program if one does
 * not. Here it throws instead, with and without NDEBUG. */
#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? (void)0 : ctoml_broken_assumption())
namespace {
struct BrokenAssumption {};
[[noreturn]] void ctoml_broken_assumption() { throw BrokenAssumption{}; }
}  // namespace
/* The maximum depth of nested arrays and inline tables; no key needs more than two. */
#define TOML_MAX_NESTED_VALUES 8
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

/* A problem and its position. */
struct Refusal {
  const char *message = nullptr;
  toml::source_position place{};
};

bool has_control(std::string_view text) {
  for (size_t i = 0; i < text.size(); i++) {
    unsigned char byte = text[i];
    if (byte < 0x20 || byte == 0x7f) return true;
    /* U+0080 to U+009F. */
    if (byte == 0xc2 && i + 1 < text.size() && (unsigned char)text[i + 1] < 0xa0) return true;
  }
  return false;
}

class Collector {
public:
  Collector(size_t most, size_t longest) : most_(most), longest_(longest) {}

  std::vector<Leaf> leaves;
  Refusal refusal;

  bool collect(const toml::table &table, const std::string &prefix) {
    for (auto &&[key, node] : table) {
      auto place = key.source().begin;
      if (key.str().size() > longest_) return refuse("has a key that is too long", place);
      if (has_control(key.str())) return refuse("has a control character in a key", place);
      std::string path = prefix.empty() && depth_ == 0 ? std::string(key.str())
                                                       : prefix + '\x1f' + std::string(key.str());
      if (auto inner = node.as_table()) {
        if (inner->empty() && !add(path, &node, place, -1)) return false;
        if (!descend(*inner, path)) return false;
      } else if (auto array = node.as_array()) {
        int index = 0;
        for (auto &&element : *array) {
          if (auto inner = element.as_table()) {
            if (!descend(*inner, path + '\x1f' + std::to_string(index))) return false;
          } else if (!add(path, &element, place, index)) {
            return false;
          }
          index++;
        }
        /* An empty array is a value, too: the empty list. */
        if (array->empty() && !add(path, &node, place, 0)) return false;
      } else if (!add(path, &node, place, -1)) {
        return false;
      }
    }
    return true;
  }

private:
  bool descend(const toml::table &table, const std::string &path) {
    depth_++;
    bool goes_on = collect(table, path);
    depth_--;
    return goes_on;
  }

  bool add(const std::string &path, const toml::node *node, toml::source_position place,
           int index) {
    if (leaves.size() == most_) return refuse("has more values than any station needs", place);
    if (auto string = node->as_string()) {
      if (string->get().size() > longest_) return refuse("has a text that is too long", place);
      if (has_control(string->get()))
        return refuse("has a control character in a text, and no setting takes one", place);
    }
    leaves.push_back({path, node, place, index});
    return true;
  }

  bool refuse(const char *message, toml::source_position place) {
    refusal = {message, place};
    return false;
  }

  size_t most_, longest_;
  size_t depth_ = 0;
};

void fill(ctoml_error *error, std::string_view words, toml::source_position place) {
  size_t kept = std::min(words.size(), sizeof error->message - 1);
  std::memcpy(error->message, words.data(), kept);
  error->message[kept] = 0;
  error->line = place.line;
  error->column = place.column;
}

}  // namespace

namespace {

/* Returns whether the first `lines` lines already break an assumption of the parser. */
bool breaks(std::string_view text, const std::vector<size_t> &ends, size_t lines) {
  try {
    (void)toml::parse(text.substr(0, ends[lines - 1]));
  } catch (const BrokenAssumption &) {
    return true;
  } catch (const toml::parse_error &) {
  }
  return false;
}

/* Returns the line at which the parser's assumption broke. The parser reads the text once, so that
 * any longer part breaks the assumption, too. */
toml::source_index broken_line(std::string_view text) {
  std::vector<size_t> ends;
  for (size_t i = 0; i < text.size(); i++)
    if (text[i] == '\n') ends.push_back(i + 1);
  ends.push_back(text.size());
  size_t low = 1, high = ends.size();
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (breaks(text, ends, middle)) high = middle; else low = middle + 1;
  }
  return (toml::source_index)low;
}

}  // namespace

enum ctoml_outcome ctoml_parse(const char *text, size_t length, ctoml_limits limits,
                               ctoml_visit visit, void *context, ctoml_error *error) {
  toml::table root;
  try {
    root = toml::parse(std::string_view(text, length));
  } catch (const toml::parse_error &failure) {
    fill(error, failure.description(), failure.source().begin);
    return CTOML_SYNTAX;
  } catch (const BrokenAssumption &) {
    fill(error, "a key, a sign or a value is missing or stands in the wrong place",
         {broken_line(std::string_view(text, length)), 1});
    return CTOML_SYNTAX;
  }
  Collector collector(limits.values, limits.bytes);
  if (!collector.collect(root, "")) {
    fill(error, collector.refusal.message, collector.refusal.place);
    return CTOML_REFUSED;
  }
  auto &leaves = collector.leaves;
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
  return CTOML_READ;
}
