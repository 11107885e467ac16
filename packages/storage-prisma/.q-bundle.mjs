var __defProp = Object.defineProperty;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err2) => function __init() {
  if (err2) throw err2[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err2 = [e], e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// ../core/src/errors.ts
var marker, CairnError, StorageError, messageOf;
var init_errors = __esm({
  "../core/src/errors.ts"() {
    marker = /* @__PURE__ */ Symbol.for("cairn.error");
    CairnError = class extends Error {
      [marker] = true;
      code;
      constructor(code, message, options) {
        super(message, options);
        this.name = "CairnError";
        this.code = code;
      }
      /** True for a CairnError from any copy of this package. */
      static is(value) {
        return typeof value === "object" && value !== null && marker in value;
      }
    };
    StorageError = class extends CairnError {
      constructor(code, message, options) {
        super(code, message, options);
        this.name = "StorageError";
      }
    };
    messageOf = (thrown) => thrown instanceof Error ? thrown.message : String(thrown);
  }
});

// ../core/src/json.ts
var isJsonObject, objectOf, stringOf, arrayOf;
var init_json = __esm({
  "../core/src/json.ts"() {
    isJsonObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
    objectOf = (value) => isJsonObject(value) ? value : {};
    stringOf = (value) => typeof value === "string" && value !== "" ? value : void 0;
    arrayOf = (value) => Array.isArray(value) ? value : [];
  }
});

// ../core/src/messages.ts
var textOfBlock, textOfJson;
var init_messages = __esm({
  "../core/src/messages.ts"() {
    textOfBlock = (block) => {
      switch (block.type) {
        case "text":
        case "thinking":
          return block.text;
        case "tool_call":
          return `${block.name} ${textOfJson(block.input)}`;
        case "tool_result":
          return block.content.map(textOfBlock).join("\n");
        case "file":
          return block.text === void 0 ? block.path : `${block.path}
${block.text}`;
        case "other":
          return textOfJson(block.value);
        case "image":
          return "";
      }
    };
    textOfJson = (value) => {
      if (typeof value === "string") return value;
      if (typeof value === "number" || typeof value === "boolean") return String(value);
      if (value === null || value === void 0) return "";
      const parts = Array.isArray(value) ? value : Object.values(value);
      return parts.map(textOfJson).filter((part) => part !== "").join("\n");
    };
  }
});

// ../core/src/result.ts
var ok, err;
var init_result = __esm({
  "../core/src/result.ts"() {
    ok = (value) => ({ ok: true, value });
    err = (error) => ({ ok: false, error });
  }
});

// ../core/src/ports/usage-storage.ts
var TENTHS_PER_TOKEN, isPartial, missingOutputTokens, tokensOfCharacters;
var init_usage_storage = __esm({
  "../core/src/ports/usage-storage.ts"() {
    TENTHS_PER_TOKEN = 27;
    isPartial = (outputTokens, visibleCharacters) => outputTokens * 2 * TENTHS_PER_TOKEN < visibleCharacters * 10;
    missingOutputTokens = (outputTokens, visibleCharacters) => isPartial(outputTokens, visibleCharacters) ? tokensOfCharacters(visibleCharacters) - outputTokens : 0;
    tokensOfCharacters = (characters) => Math.ceil(characters * 10 / TENTHS_PER_TOKEN);
  }
});

// ../core/src/usage/calendar.ts
var MINUTE_MS, HOUR_MS, DAY_MS, BUCKET_MS, UNKNOWN_BUCKET, SCAN_STEP_MS, SCAN_END_MS, formatters, formatterOf, assertTimeZone, offsetAt, transitionBetween, zoneOffsets, bucketOf, pad, dayKey, weekKey, periodKey;
var init_calendar = __esm({
  "../core/src/usage/calendar.ts"() {
    init_errors();
    MINUTE_MS = 6e4;
    HOUR_MS = 60 * MINUTE_MS;
    DAY_MS = 24 * HOUR_MS;
    BUCKET_MS = 15 * MINUTE_MS;
    UNKNOWN_BUCKET = -1;
    SCAN_STEP_MS = 7 * DAY_MS;
    SCAN_END_MS = Date.UTC(2200, 0, 1);
    formatters = /* @__PURE__ */ new Map();
    formatterOf = (timeZone) => {
      const known2 = formatters.get(timeZone);
      if (known2 !== void 0) return known2;
      let made;
      try {
        made = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
          timeZone,
          hourCycle: "h23",
          era: "narrow",
          year: "numeric",
          month: "numeric",
          day: "numeric",
          hour: "numeric",
          minute: "numeric",
          second: "numeric"
        });
      } catch (cause) {
        throw new CairnError(
          "usage",
          `There is no time zone named '${timeZone}': use an IANA name such as Europe/Berlin.`,
          { cause }
        );
      }
      formatters.set(timeZone, made);
      return made;
    };
    assertTimeZone = (timeZone) => {
      formatterOf(timeZone);
      const minutes = /^[+-]\d{2}:?(\d{2})?$/.exec(timeZone)?.[1];
      if (minutes !== void 0 && Number(minutes) % 15 !== 0) {
        throw new CairnError("usage", `'${timeZone}' is no time zone's offset: they are whole quarters of an hour; use a name such as Europe/Berlin.`);
      }
    };
    offsetAt = (timeZone, ms) => {
      const whole = Math.floor(ms / 1e3) * 1e3;
      const fields = {};
      for (const part of formatterOf(timeZone).formatToParts(whole)) fields[part.type] = part.value;
      const year = fields["era"] === "B" ? 1 - Number(fields["year"]) : Number(fields["year"]);
      const local = /* @__PURE__ */ new Date(0);
      local.setUTCFullYear(year, Number(fields["month"]) - 1, Number(fields["day"]));
      local.setUTCHours(Number(fields["hour"]), Number(fields["minute"]), Number(fields["second"]));
      return local.getTime() - whole;
    };
    transitionBetween = (timeZone, low, high, offsetAtHigh) => {
      let before = Math.floor(low / 1e3);
      let after = Math.ceil(high / 1e3);
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2);
        if (offsetAt(timeZone, middle * 1e3) === offsetAtHigh) after = middle;
        else before = middle;
      }
      return after * 1e3;
    };
    zoneOffsets = (timeZone, fromMs, toMs) => {
      let offset = offsetAt(timeZone, fromMs);
      const intervals = [{ from: fromMs, offsetMs: offset }];
      const end2 = Math.min(toMs, SCAN_END_MS);
      let position = fromMs;
      while (position < end2) {
        const next = Math.min(position + SCAN_STEP_MS, end2);
        const nextOffset = offsetAt(timeZone, next);
        if (nextOffset !== offset) {
          intervals.push({ from: transitionBetween(timeZone, position, next, nextOffset), offsetMs: nextOffset });
          offset = nextOffset;
        }
        position = next;
      }
      return intervals;
    };
    bucketOf = (at) => at === null || at < 0 ? UNKNOWN_BUCKET : Math.floor(at / BUCKET_MS);
    pad = (value, digits) => String(value).padStart(digits, "0");
    dayKey = (localDayNumber) => {
      const date = new Date(localDayNumber * DAY_MS);
      return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
    };
    weekKey = (localDayNumber) => {
      const monday = localDayNumber - ((localDayNumber + 3) % 7 + 7) % 7;
      const thursday = monday + 3;
      const year = new Date(thursday * DAY_MS).getUTCFullYear();
      const yearStart = Math.floor(Date.UTC(year, 0, 1) / DAY_MS);
      return `${pad(year, 4)}-W${pad(Math.floor((thursday - yearStart) / 7) + 1, 2)}`;
    };
    periodKey = (by, localDayNumber) => {
      switch (by) {
        case "day":
          return dayKey(localDayNumber);
        case "week":
          return weekKey(localDayNumber);
        case "month":
          return dayKey(localDayNumber).slice(0, 7);
      }
    };
  }
});

// ../core/src/usage/merge-reports.ts
var COST_RANK, numbersRank, MISSING, ownerRank, isBefore, numbersOf, attributionOf, mergeReports;
var init_merge_reports = __esm({
  "../core/src/usage/merge-reports.ts"() {
    COST_RANK = { recorded: 2, computed: 1, unpriced: 0 };
    numbersRank = (fact) => [
      fact.outputTokens,
      COST_RANK[fact.costState],
      fact.inputTokens,
      fact.cacheReadTokens,
      fact.cacheWrite5mTokens,
      fact.cacheWrite1hTokens,
      fact.reasoningTokens ?? -1,
      fact.costNano ?? -1n,
      fact.costSplit?.savedNano ?? 0n,
      fact.costSplit?.outputNano ?? 0n,
      fact.model,
      fact.provider ?? ""
    ];
    MISSING = "\uFFFF";
    ownerRank = ({ fact, sessionId }) => [
      fact.at ?? Number.POSITIVE_INFINITY,
      sessionId,
      fact.subagent ?? MISSING,
      fact.workspace ?? MISSING,
      fact.branch ?? MISSING,
      fact.mode ?? MISSING
    ];
    isBefore = (left, right) => {
      for (const [index, value] of left.entries()) {
        const other = right[index];
        if (other !== void 0 && value !== other) return value < other;
      }
      return false;
    };
    numbersOf = (fact) => ({
      callId: fact.callId,
      model: fact.model,
      inputTokens: fact.inputTokens,
      cacheReadTokens: fact.cacheReadTokens,
      cacheWrite5mTokens: fact.cacheWrite5mTokens,
      cacheWrite1hTokens: fact.cacheWrite1hTokens,
      outputTokens: fact.outputTokens,
      costNano: fact.costNano,
      costState: fact.costState,
      ...fact.reasoningTokens === void 0 ? {} : { reasoningTokens: fact.reasoningTokens },
      ...fact.costSplit === void 0 ? {} : { costSplit: fact.costSplit },
      ...fact.provider === void 0 ? {} : { provider: fact.provider }
    });
    attributionOf = (fact) => ({
      at: fact.at,
      ...fact.mode === void 0 ? {} : { mode: fact.mode },
      ...fact.subagent === void 0 ? {} : { subagent: fact.subagent },
      ...fact.workspace === void 0 ? {} : { workspace: fact.workspace },
      ...fact.branch === void 0 ? {} : { branch: fact.branch }
    });
    mergeReports = (left, right) => {
      const numbers = isBefore(numbersRank(left.fact), numbersRank(right.fact)) ? right : left;
      const owner = isBefore(ownerRank(right), ownerRank(left)) ? right : left;
      return {
        sessionId: owner.sessionId,
        fact: { ...numbersOf(numbers.fact), ...attributionOf(owner.fact) },
        visibleCharacters: left.visibleCharacters + right.visibleCharacters
      };
    };
  }
});

// ../core/src/usage/totals.ts
var emptyTotals, addTotals;
var init_totals = __esm({
  "../core/src/usage/totals.ts"() {
    emptyTotals = {
      requests: 0,
      inputTokens: 0,
      cacheReadTokens: 0,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
      costNano: 0n,
      recordedCostNano: 0n,
      cacheReadCostNano: 0n,
      cacheWriteCostNano: 0n,
      outputCostNano: 0n,
      savedNano: 0n,
      unpricedRequests: 0,
      partialRequests: 0,
      missingOutputTokens: 0
    };
    addTotals = (left, right) => ({
      requests: left.requests + right.requests,
      inputTokens: left.inputTokens + right.inputTokens,
      cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
      cacheWrite5mTokens: left.cacheWrite5mTokens + right.cacheWrite5mTokens,
      cacheWrite1hTokens: left.cacheWrite1hTokens + right.cacheWrite1hTokens,
      outputTokens: left.outputTokens + right.outputTokens,
      reasoningTokens: left.reasoningTokens + right.reasoningTokens,
      costNano: left.costNano + right.costNano,
      recordedCostNano: left.recordedCostNano + right.recordedCostNano,
      cacheReadCostNano: left.cacheReadCostNano + right.cacheReadCostNano,
      cacheWriteCostNano: left.cacheWriteCostNano + right.cacheWriteCostNano,
      outputCostNano: left.outputCostNano + right.outputCostNano,
      savedNano: left.savedNano + right.savedNano,
      unpricedRequests: left.unpricedRequests + right.unpricedRequests,
      partialRequests: left.partialRequests + right.partialRequests,
      missingOutputTokens: left.missingOutputTokens + right.missingOutputTokens
    });
  }
});

// ../core/src/text-analysis/characters.ts
var SEPARATOR, WORD, SIGN, IN_WORD, BY_ITSELF, EMOJI, known, knownPairs, characterClass, classOf, characterLength, LIGATURES, folded;
var init_characters = __esm({
  "../core/src/text-analysis/characters.ts"() {
    SEPARATOR = 1;
    WORD = 2;
    SIGN = 3;
    IN_WORD = /[\p{L}\p{N}\p{M}_]/u;
    BY_ITSELF = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
    EMOJI = /\p{Extended_Pictographic}/u;
    known = new Uint8Array(65536);
    knownPairs = /* @__PURE__ */ new Map();
    characterClass = (text, index) => {
      const unit = text.charCodeAt(index);
      const found = known[unit] ?? 0;
      if (found !== 0) return found;
      if (unit < 55296 || unit > 57343) return known[unit] = classOf(String.fromCharCode(unit));
      const code = text.codePointAt(index) ?? 0;
      if (code < 65536) return SEPARATOR;
      let pair = knownPairs.get(code);
      if (pair === void 0) {
        pair = classOf(String.fromCodePoint(code));
        if (knownPairs.size < 1e4) knownPairs.set(code, pair);
      }
      return pair;
    };
    classOf = (character) => {
      if (BY_ITSELF.test(character) || character === "\u30FC") return SIGN;
      if (IN_WORD.test(character)) return WORD;
      return character > "\xFF" && EMOJI.test(character) ? SIGN : SEPARATOR;
    };
    characterLength = (text, index) => {
      const unit = text.charCodeAt(index);
      if (unit < 55296 || unit > 56319) return 1;
      const next = text.charCodeAt(index + 1);
      return next >= 56320 && next <= 57343 ? 2 : 1;
    };
    LIGATURES = { \u00DF: "ss", \u00E6: "ae", \u0153: "oe", \u00F8: "o", \u0142: "l", \u0111: "d", \u00F0: "d", \u00FE: "th", \u0131: "i" };
    folded = (text) => {
      const lower = text.toLowerCase();
      if (!/[^\0-\x7f]/.test(lower)) return lower;
      return lower.normalize("NFKD").toLowerCase().replace(/[\u0300-\u036f]/g, "").normalize("NFC").replace(/[ßæœøłđðþı]/g, (letter) => LIGATURES[letter] ?? letter);
    };
  }
});

// ../core/src/text-analysis/hash.ts
var hashText;
var init_hash = __esm({
  "../core/src/text-analysis/hash.ts"() {
    hashText = (text) => {
      let hash3 = 2166136261;
      for (let index = 0; index < text.length; index++) hash3 = Math.imul(hash3 ^ text.charCodeAt(index), 16777619);
      hash3 = Math.imul(hash3 ^ hash3 >>> 16, 2246822507);
      hash3 = Math.imul(hash3 ^ hash3 >>> 13, 3266489909);
      return (hash3 ^ hash3 >>> 16) >>> 0 || 1;
    };
  }
});

// ../core/src/text-analysis/author.ts
var authorHash;
var init_author = __esm({
  "../core/src/text-analysis/author.ts"() {
    init_characters();
    init_hash();
    authorHash = (name) => {
      const first = /[\p{L}\p{N}\p{M}_]+/u.exec(name)?.[0];
      return first === void 0 ? 0 : hashText(folded(first));
    };
  }
});

// ../core/src/text-analysis/forms.ts
var FORM_BITS, formOf;
var init_forms = __esm({
  "../core/src/text-analysis/forms.ts"() {
    FORM_BITS = { plain: 1, s: 2, ing: 4, other: 8 };
    formOf = (word, stemmed) => {
      if (word === stemmed) return FORM_BITS.plain;
      if (word.endsWith("ing")) return FORM_BITS.ing;
      if (word.endsWith("s")) return FORM_BITS.s;
      return word.length <= stemmed.length + 1 && /[ey]$/.test(word) ? FORM_BITS.plain : FORM_BITS.other;
    };
  }
});

// ../core/src/text-analysis/irregular.ts
var VERBS, NOUNS, BASES, baseOf;
var init_irregular = __esm({
  "../core/src/text-analysis/irregular.ts"() {
    VERBS = "arise arose arisen|awake awoke awoken|bear bore|beat beaten|become became|begin began begun|bend bent|bite bit bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|deal dealt|dig dug|do did done does|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone goes|grow grew grown|hang hung|have had has|hear heard|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lose lost|make made|mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|stick stuck|strike struck|swear swore sworn|sweep swept|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won|withdraw withdrew withdrawn|write wrote written|be is are was were been am";
    NOUNS = "child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese|wife wives|life lives|knife knives|leaf leaves|shelf shelves|index indices|matrix matrices|vertex vertices|datum data";
    BASES = new Map(
      `${VERBS}|${NOUNS}`.split("|").flatMap((group) => {
        const [base = "", ...forms] = group.split(" ");
        return forms.map((form) => [form, base]);
      })
    );
    baseOf = (word) => BASES.get(word) ?? word;
  }
});

// ../core/src/text-analysis/stem.ts
var stem, isConsonant, measure, hasVowel, endsDouble, endsShort, plural, tense, softened, DOUBLE_SUFFIXES, SUFFIXES, replaced, REMOVED, cut, ending;
var init_stem = __esm({
  "../core/src/text-analysis/stem.ts"() {
    stem = (word) => {
      if (word.length < 3) return word;
      const adjective = softened(tense(plural(word)));
      return ending(cut(replaced(replaced(adjective, DOUBLE_SUFFIXES), SUFFIXES)));
    };
    isConsonant = (word, index) => {
      const letter = word[index];
      if (letter === "y") return index === 0 || !isConsonant(word, index - 1);
      return !(letter === "a" || letter === "e" || letter === "i" || letter === "o" || letter === "u");
    };
    measure = (word, length) => {
      let count = 0;
      let vowel = false;
      for (let index = 0; index < length; index++) {
        const consonant = isConsonant(word, index);
        if (consonant && vowel) count++;
        vowel = !consonant;
      }
      return count;
    };
    hasVowel = (word, length) => {
      for (let index = 0; index < length; index++) if (!isConsonant(word, index)) return true;
      return false;
    };
    endsDouble = (word) => {
      const last = word.length - 1;
      return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
    };
    endsShort = (word, length) => length > 2 && isConsonant(word, length - 3) && !isConsonant(word, length - 2) && isConsonant(word, length - 1) && !"wxy".includes(word.charAt(length - 1));
    plural = (word) => {
      if (!word.endsWith("s")) return word;
      if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
      return word.endsWith("ss") ? word : word.slice(0, -1);
    };
    tense = (word) => {
      if (word.endsWith("eed")) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word;
      const suffix = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
      if (suffix === 0 || !hasVowel(word, word.length - suffix)) return word;
      const rest = word.slice(0, -suffix);
      if (rest.endsWith("at") || rest.endsWith("bl") || rest.endsWith("iz")) return `${rest}e`;
      if (endsDouble(rest)) return "lsz".includes(rest.charAt(rest.length - 1)) ? rest : rest.slice(0, -1);
      return measure(rest, rest.length) === 1 && endsShort(rest, rest.length) ? `${rest}e` : rest;
    };
    softened = (word) => word.endsWith("y") && hasVowel(word, word.length - 1) ? `${word.slice(0, -1)}i` : word;
    DOUBLE_SUFFIXES = [
      ["ational", "ate"],
      ["tional", "tion"],
      ["enci", "ence"],
      ["anci", "ance"],
      ["izer", "ize"],
      ["bli", "ble"],
      ["alli", "al"],
      ["entli", "ent"],
      ["eli", "e"],
      ["ousli", "ous"],
      ["ization", "ize"],
      ["ation", "ate"],
      ["ator", "ate"],
      ["alism", "al"],
      ["iveness", "ive"],
      ["fulness", "ful"],
      ["ousness", "ous"],
      ["aliti", "al"],
      ["iviti", "ive"],
      ["biliti", "ble"],
      ["logi", "log"]
    ];
    SUFFIXES = [
      ["icate", "ic"],
      ["ative", ""],
      ["alize", "al"],
      ["iciti", "ic"],
      ["ical", "ic"],
      ["ful", ""],
      ["ness", ""]
    ];
    replaced = (word, rules) => {
      for (const [suffix, instead] of rules) {
        if (!word.endsWith(suffix)) continue;
        const length = word.length - suffix.length;
        return measure(word, length) > 0 ? word.slice(0, length) + instead : word;
      }
      return word;
    };
    REMOVED = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(" ");
    cut = (word) => {
      for (const suffix of REMOVED) {
        if (!word.endsWith(suffix)) continue;
        const length = word.length - suffix.length;
        const fits = suffix !== "ion" || "st".includes(word.charAt(length - 1) || " ");
        return fits && measure(word, length) > 1 ? word.slice(0, length) : word;
      }
      return word;
    };
    ending = (word) => {
      let rest = word;
      if (rest.endsWith("e")) {
        const length = rest.length - 1;
        const count = measure(rest, length);
        if (count > 1 || count === 1 && !endsShort(rest, length)) rest = rest.slice(0, length);
      }
      return rest.endsWith("ll") && measure(rest, rest.length - 1) > 1 ? rest.slice(0, -1) : rest;
    };
  }
});

// ../core/src/text-analysis/traits.ts
var TRAITS, setOf, TIME, FIRST_PERSON, REASON, DURATION, FAILURE, traitsOf;
var init_traits = __esm({
  "../core/src/text-analysis/traits.ts"() {
    TRAITS = {
      /** Digits. */
      number: 1,
      /** A day, month, or a word such as "yesterday". */
      time: 2,
      /** Within a sentence, written with a capital. */
      name: 4,
      /** "I", "my". */
      firstPerson: 8,
      /** "because", "since". */
      reason: 16,
      /** Hours, weeks, years. */
      duration: 32,
      /** "error", "failed". */
      failure: 64
    };
    setOf = (words) => new Set(words.split(" "));
    TIME = setOf(
      "yesterday today tonight tomorrow ago recently lately monday tuesday wednesday thursday friday saturday sunday weekend january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec last next morning afternoon evening night week month year summer winter spring fall autumn"
    );
    FIRST_PERSON = setOf("i my me mine im ive ill myself we our us");
    REASON = setOf("because since cause reason why therefore hence thus inspired motivated so");
    DURATION = setOf("second seconds minute minutes hour hours day days week weeks month months year years decade decades");
    FAILURE = setOf("error errors err fail failed fails failing failure failures exception exceptions panic fatal traceback undefined cannot denied refused invalid");
    traitsOf = (raw5, text) => {
      const first = text.charCodeAt(0);
      let traits = first >= 48 && first <= 57 ? TRAITS.number : 0;
      if (text.length <= 10) {
        if (TIME.has(text)) traits |= TRAITS.time;
        if (FIRST_PERSON.has(text)) traits |= TRAITS.firstPerson;
        if (REASON.has(text)) traits |= TRAITS.reason;
        if (DURATION.has(text)) traits |= TRAITS.duration;
        if (FAILURE.has(text)) traits |= TRAITS.failure;
      }
      const letter = raw5.charCodeAt(0);
      const capital = letter >= 65 && letter <= 90 || letter > 127 && /^\p{Lu}/u.test(raw5);
      return capital && raw5.length > 1 && raw5 !== "I" ? traits | TRAITS.name : traits;
    };
  }
});

// ../core/src/text-analysis/words.ts
var LONGEST_STEMMED, LONGEST_SPLIT, MOST_PARTS, termOf, cache, CACHED_WORDS, LONGEST_CACHED, wordOf, analyse, PART, SIMPLE, partsOf;
var init_words = __esm({
  "../core/src/text-analysis/words.ts"() {
    init_characters();
    init_forms();
    init_hash();
    init_irregular();
    init_stem();
    init_traits();
    LONGEST_STEMMED = 24;
    LONGEST_SPLIT = 128;
    MOST_PARTS = 8;
    termOf = (text) => {
      if (text.length > LONGEST_STEMMED || !/^[a-z]+$/.test(text)) return { hash: hashText(text), form: 0, text };
      const stemmed = stem(baseOf(text));
      return { hash: hashText(stemmed), form: formOf(text, stemmed), text };
    };
    cache = /* @__PURE__ */ new Map();
    CACHED_WORDS = 5e4;
    LONGEST_CACHED = 48;
    wordOf = (raw5) => {
      const known2 = cache.get(raw5);
      if (known2 !== void 0) return known2;
      const word = analyse(raw5);
      if (raw5.length <= LONGEST_CACHED) {
        if (cache.size >= CACHED_WORDS) cache.clear();
        cache.set(`${raw5} `.slice(0, -1), word);
      }
      return word;
    };
    analyse = (raw5) => {
      const parts = raw5.length > LONGEST_SPLIT ? [] : partsOf(raw5);
      const whole = folded(raw5.includes("_") ? raw5.replaceAll("_", "") || "_" : raw5);
      const first = termOf(whole);
      const traits = traitsOf(raw5, whole);
      if (parts.length < 2 || parts.length > MOST_PARTS) return { terms: [first], traits };
      const terms = [first];
      for (const part of parts) {
        if (part.length < 2) continue;
        const term = termOf(folded(part));
        if (!terms.some(({ hash: hash3 }) => hash3 === term.hash)) terms.push(term);
      }
      return { terms, traits };
    };
    PART = /\p{Lu}+s?(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}|\p{N}+/gu;
    SIMPLE = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/;
    partsOf = (raw5) => SIMPLE.test(raw5) ? [raw5] : raw5.match(PART) ?? [];
  }
});

// ../core/src/text-analysis/scan.ts
var NEWLINE, HYPHEN, DOT, QUESTION, scan, isSentenceEnd, endOfWord, afterApostrophe, isLatinLetter, LONGEST_COMPOUND, EXTENSION, compound, joinedTerms, CACHED_JOINS, joinedOf, signs, signTerm;
var init_scan = __esm({
  "../core/src/text-analysis/scan.ts"() {
    init_characters();
    init_hash();
    init_words();
    init_traits();
    NEWLINE = 10;
    HYPHEN = 45;
    DOT = 46;
    QUESTION = 63;
    scan = (text, scanner) => {
      const length = text.length;
      let index = 0;
      let fresh = true;
      while (index < length) {
        const kind = characterClass(text, index);
        if (kind === SEPARATOR) {
          const unit = text.charCodeAt(index);
          if (unit === NEWLINE) {
            scanner.end(true);
            fresh = true;
          } else if (isSentenceEnd(unit)) {
            if (unit === QUESTION || unit === 65311) scanner.question();
            if (unit > 127 || text.charCodeAt(index + 1) <= 32) {
              scanner.end(false);
              fresh = true;
            }
          }
          index++;
        } else if (kind === SIGN) {
          index = signs(text, index, scanner);
          fresh = false;
        } else {
          const start = index;
          let words = 0;
          let hyphens = 0;
          let dots = 0;
          let last = index;
          for (; ; ) {
            last = index;
            index = endOfWord(text, index);
            const word = wordOf(text.slice(last, index));
            scanner.word(word, fresh ? word.traits & ~TRAITS.name : word.traits, last, index);
            fresh = false;
            words++;
            index = afterApostrophe(text, index);
            const unit = text.charCodeAt(index);
            if (unit !== HYPHEN && unit !== DOT || index + 1 >= length || characterClass(text, index + 1) !== WORD) break;
            if (unit === DOT) dots++;
            else hyphens++;
            index++;
          }
          if (words > 1) compound(text, start, last, index, words, hyphens, dots, scanner);
        }
      }
      scanner.end(true);
    };
    isSentenceEnd = (unit) => unit === DOT || unit === QUESTION || unit === 33 || unit === 12290 || unit === 65281 || unit === 65311;
    endOfWord = (text, from) => {
      let index = from;
      while (index < text.length && characterClass(text, index) === WORD) index += characterLength(text, index);
      return index;
    };
    afterApostrophe = (text, index) => {
      const unit = text.charCodeAt(index);
      if (unit !== 39 && unit !== 8217) return index;
      let end2 = index + 1;
      while (end2 < index + 4 && end2 < text.length && isLatinLetter(text.charCodeAt(end2))) end2++;
      const letters = end2 - index - 1;
      if (letters === 0 || letters > 2 || end2 < text.length && characterClass(text, end2) === WORD) return index;
      return end2;
    };
    isLatinLetter = (unit) => (unit | 32) >= 97 && (unit | 32) <= 122;
    LONGEST_COMPOUND = 100;
    EXTENSION = /^(?:[a-z][a-z0-9]{0,4}|[A-Z][A-Z0-9]{0,4})$/;
    compound = (text, start, last, end2, words, hyphens, dots, scanner) => {
      if (end2 - start > LONGEST_COMPOUND || words > 8) return;
      if (dots === 0) {
        if (words <= 4) scanner.joined(joinedOf(text.slice(start, end2)), start, end2);
        return;
      }
      if (text.charCodeAt(last - 1) !== DOT || !EXTENSION.test(text.slice(last, end2))) return;
      scanner.joined(joinedOf(text.slice(start, end2)), start, end2);
      if (hyphens > 0) scanner.joined(joinedOf(text.slice(start, last)), start, last - 1);
    };
    joinedTerms = /* @__PURE__ */ new Map();
    CACHED_JOINS = 1e4;
    joinedOf = (raw5) => {
      const known2 = joinedTerms.get(raw5);
      if (known2 !== void 0) return known2;
      const term = termOf(folded(raw5.replace(/[-._]/g, "").replace(/['’].*$/, "")));
      if (joinedTerms.size >= CACHED_JOINS) joinedTerms.clear();
      joinedTerms.set(`${raw5} `.slice(0, -1), term);
      return term;
    };
    signs = (text, from, scanner) => {
      let index = from;
      let former = "";
      let formerAt = from;
      while (index < text.length && characterClass(text, index) === SIGN) {
        const end2 = index + characterLength(text, index);
        const sign = folded(text.slice(index, end2));
        const alone = former === "" && (end2 >= text.length || characterClass(text, end2) !== SIGN);
        scanner.sign(signTerm(sign), alone, index, end2);
        if (former !== "") scanner.pair(signTerm(former + sign), formerAt, end2);
        former = sign;
        formerAt = index;
        index = end2;
      }
      return index;
    };
    signTerm = (text) => ({ hash: hashText(text), form: 0, text });
  }
});

// ../core/src/text-analysis/passages.ts
var PASSAGE_WORDS, MOST_COUNTED, MOST_TOKENS, passagesOf, buffer, PassageBuilder;
var init_passages = __esm({
  "../core/src/text-analysis/passages.ts"() {
    init_scan();
    PASSAGE_WORDS = 80;
    MOST_COUNTED = 15;
    MOST_TOKENS = 65535;
    passagesOf = (texts) => {
      const builder = new PassageBuilder();
      for (const text of texts) scan(text, builder);
      return builder.finish();
    };
    buffer = new Float64Array(1024);
    PassageBuilder = class {
      passages = [];
      traits = 0;
      words = 0;
      asks = false;
      lastQuestion = -1;
      /** Of the passage that is being filled. */
      passageWords = 0;
      terms = 0;
      /** Where it may be cut: as many words and terms are before. */
      wordsBefore = 0;
      termsBefore = 0;
      word({ terms }, traits) {
        if (this.passageWords === PASSAGE_WORDS) this.cut();
        this.traits |= traits;
        this.words++;
        this.passageWords++;
        for (const term of terms) this.add(term);
      }
      sign(term) {
        this.word({ terms: [term], traits: 0 }, 0);
      }
      joined(term) {
        this.add(term);
      }
      pair(term) {
        this.add(term);
      }
      end() {
        this.wordsBefore = this.passageWords;
        this.termsBefore = this.terms;
      }
      question() {
        this.asks = true;
        this.lastQuestion = this.words;
      }
      finish() {
        if (this.terms > 0 || this.passages.length === 0) this.flush(this.terms);
        return { passages: this.passages, traits: this.traits, words: this.words, asks: this.asks, endsAsking: this.asks && this.lastQuestion === this.words };
      }
      add({ hash: hash3, form }) {
        if (this.terms === buffer.length) {
          const larger = new Float64Array(buffer.length * 2);
          larger.set(buffer);
          buffer = larger;
        }
        buffer[this.terms++] = hash3 * 16 + form;
      }
      /** What follows the last place to cut begins the next passage; without such a place everything so far is one. */
      cut() {
        const words = this.wordsBefore === 0 ? this.passageWords : this.wordsBefore;
        const terms = this.wordsBefore === 0 ? this.terms : this.termsBefore;
        const rest = buffer.slice(terms, this.terms);
        this.flush(terms);
        buffer.set(rest);
        this.terms = rest.length;
        this.passageWords -= words;
        this.wordsBefore = 0;
        this.termsBefore = 0;
      }
      flush(terms) {
        const sorted = buffer.subarray(0, terms).sort();
        const hashes = new Uint32Array(terms);
        const counts = new Uint8Array(terms);
        let different = -1;
        for (let index = 0; index < terms; index++) {
          const key = sorted[index] ?? 0;
          const hash3 = Math.floor(key / 16);
          const form = key % 16;
          if (different < 0 || hashes[different] !== hash3) {
            hashes[++different] = hash3;
            counts[different] = form << 4 | 1;
          } else {
            const count = counts[different] ?? 0;
            counts[different] = (count >> 4 | form) << 4 | Math.min((count & 15) + 1, MOST_COUNTED);
          }
        }
        this.passages.push({ tokens: Math.min(terms, MOST_TOKENS), hashes: hashes.slice(0, different + 1), counts: counts.slice(0, different + 1) });
      }
    };
  }
});

// ../core/src/text-analysis/message-analysis.ts
var ROLE_BITS, KIND_BITS, FIRST_TRAIT_BIT, MESSAGE_BITS, SHORT_WORDS, analyseMessage;
var init_message_analysis = __esm({
  "../core/src/text-analysis/message-analysis.ts"() {
    init_author();
    init_passages();
    ROLE_BITS = { user: 0, assistant: 1, system: 2, tool: 3 };
    KIND_BITS = { said: 0, call: 1, edit: 2, result: 3 };
    FIRST_TRAIT_BIT = 4;
    MESSAGE_BITS = {
      /** It asks: holds a question mark. */
      asks: 1 << 11,
      /** At most {@link SHORT_WORDS} words. */
      short: 1 << 12,
      /** Nothing follows its last question. */
      endsAsking: 1 << 13
    };
    SHORT_WORDS = 12;
    analyseMessage = ({ role, kind, author, texts, files = [] }) => {
      const { passages, traits, words, asks, endsAsking } = passagesOf(texts);
      let flags = ROLE_BITS[role] | KIND_BITS[kind] << 2 | traits << FIRST_TRAIT_BIT;
      if (asks) flags |= MESSAGE_BITS.asks;
      if (words <= SHORT_WORDS) flags |= MESSAGE_BITS.short;
      if (endsAsking) flags |= MESSAGE_BITS.endsAsking;
      return { passages, flags, author: author === void 0 ? 0 : authorHash(author), files };
    };
  }
});

// ../core/src/text-analysis/message-text.ts
var messageToAnalyse, kindOf, toolOf, searchedText;
var init_message_text = __esm({
  "../core/src/text-analysis/message-text.ts"() {
    init_json();
    init_messages();
    messageToAnalyse = (message, operationsOf) => {
      const texts = [];
      const files = [];
      const sizes = { said: 0, call: 0, result: 0 };
      let edits = false;
      for (const block of message.content) {
        const tool = block.type === "other" ? toolOf(block.value) : void 0;
        if (tool === void 0) {
          const text = textOfBlock(block);
          if (text !== "") texts.push(text);
          if (block.type === "tool_call") {
            for (const { path: path3, operation: operation2 } of operationsOf(block)) {
              files.push({ path: path3, operation: operation2 });
              edits ||= operation2 === "edit";
            }
            sizes.call += text.length + 1;
          } else if (block.type === "tool_result") sizes.result += text.length + 1;
          else {
            sizes.said += text.length;
            if (block.type === "file") files.push({ path: block.path, operation: "mention" });
          }
          continue;
        }
        const isResult = message.role === "tool";
        const operation = isResult ? "mention" : tool.kind === "edit" || tool.kind === "read" ? tool.kind : "mention";
        edits ||= operation === "edit";
        sizes[isResult ? "result" : "call"] = Infinity;
        if (tool.path !== void 0) files.push({ path: tool.path, operation });
        const named = [tool.name, ...tool.path === void 0 ? [] : [tool.path]].filter((name) => !texts.some((text) => text.includes(name)));
        if (!isResult && named.length > 0) texts.push(named.join(" "));
      }
      return { role: message.role, kind: kindOf(message.role, sizes, edits), texts, files, ...message.author === void 0 ? {} : { author: message.author } };
    };
    kindOf = (role, sizes, edits) => {
      if (edits) return "edit";
      if (role === "tool" || sizes.result > sizes.said) return "result";
      return sizes.call > sizes.said ? "call" : "said";
    };
    toolOf = (value) => {
      const tool = isJsonObject(value) && Object.keys(value).length === 1 ? value.tool : void 0;
      if (!isJsonObject(tool) || typeof tool.name !== "string") return void 0;
      const path3 = stringOf(tool.path);
      const kind = stringOf(tool.kind);
      return { name: tool.name, ...path3 === void 0 ? {} : { path: path3 }, ...kind === void 0 ? {} : { kind } };
    };
    searchedText = (content) => content.filter((block) => block.type !== "other" || toolOf(block.value) === void 0).map(textOfBlock).filter((text) => text !== "").join("\n");
  }
});

// ../core/src/tracking/file-tools.ts
var READ_TOOLS, EDIT_TOOLS, SHELL_TOOLS, PATCH_TOOLS, PATH_KEYS, PART_KEYS, fileOperationsOf, isJsonText, argumentsOf, pathsOf, partOf, PATCHED, patchedFiles, commandOf, PRINTING, WORD2, shellFiles, printedFiles;
var init_file_tools = __esm({
  "../core/src/tracking/file-tools.ts"() {
    init_json();
    READ_TOOLS = /* @__PURE__ */ new Set(["read", "read_file", "readfile", "view", "cat", "open_file", "fs_read", "notebookread", "view_file"]);
    EDIT_TOOLS = /* @__PURE__ */ new Set([
      "edit",
      "multiedit",
      "write",
      "write_to_file",
      "write_file",
      "replace_in_file",
      "apply_diff",
      "insert_content",
      "search_and_replace",
      "search_replace",
      "notebookedit",
      "create_file",
      "edit_file",
      "fs_write",
      "new_file"
    ]);
    SHELL_TOOLS = /* @__PURE__ */ new Set(["bash", "shell", "exec_command", "execute_command", "run_command", "run_terminal_cmd", "local_shell"]);
    PATCH_TOOLS = /* @__PURE__ */ new Set(["apply_patch", "patch"]);
    PATH_KEYS = ["file_path", "path", "filePath", "notebook_path", "target_file", "absolute_path", "filename", "file"];
    PART_KEYS = ["offset", "limit", "start_line", "end_line", "line_start", "line_end", "view_range", "pages"];
    fileOperationsOf = ({ name, input }) => {
      const tool = (name.split(/[.:/]|__/).at(-1) ?? name).toLowerCase();
      const given = argumentsOf(input);
      if (PATCH_TOOLS.has(tool)) return patchedFiles(typeof input === "string" && !isJsonText(input) ? input : stringOf(given.input) ?? stringOf(given.patch) ?? "");
      if (READ_TOOLS.has(tool)) return pathsOf(given).map((path3) => ({ path: path3, operation: "read", ...partOf(given) }));
      if (EDIT_TOOLS.has(tool)) return pathsOf(given).map((path3) => ({ path: path3, operation: "edit" }));
      if (SHELL_TOOLS.has(tool)) return shellFiles(commandOf(given));
      const kind = given.kind;
      return kind === "read" || kind === "edit" ? pathsOf(given).map((path3) => ({ path: path3, operation: kind })) : [];
    };
    isJsonText = (text) => /^\s*\{/.test(text);
    argumentsOf = (input) => {
      if (typeof input !== "string" || !isJsonText(input)) return objectOf(input);
      try {
        const value = JSON.parse(input);
        return isJsonObject(value) ? value : {};
      } catch {
        return {};
      }
    };
    pathsOf = (given) => {
      for (const key of PATH_KEYS) {
        const path3 = stringOf(given[key]);
        if (path3 !== void 0) return [path3];
      }
      return arrayOf(given.paths ?? given.files).flatMap((item) => {
        const path3 = stringOf(item) ?? stringOf(objectOf(item).path);
        return path3 === void 0 ? [] : [path3];
      });
    };
    partOf = (given) => {
      const parts = PART_KEYS.flatMap((key) => given[key] === void 0 || given[key] === null ? [] : [`${key}=${JSON.stringify(given[key])}`]);
      return parts.length === 0 ? {} : { part: parts.join(" ") };
    };
    PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.+?)\s*$/gm;
    patchedFiles = (patch) => [...patch.matchAll(PATCHED)].map(([, path3 = ""]) => ({ path: path3, operation: "edit" }));
    commandOf = (given) => {
      const command = given.command ?? given.cmd ?? given.script;
      if (typeof command === "string") return command;
      const words = arrayOf(command).filter((word) => typeof word === "string");
      return /^(?:bash|sh|zsh)$/.test(words[0] ?? "") ? words.at(-1) ?? "" : words.join(" ");
    };
    PRINTING = /(?:^|&&|;|\n)\s*(cat|sed|head|tail|nl|bat|less|more)\s+([^|&;\n<>]+)/g;
    WORD2 = /"([^"]*)"|'([^']*)'|(\S+)/g;
    shellFiles = (command) => [...patchedFiles(command), ...[...command.matchAll(PRINTING)].flatMap(([, program = "", rest = ""]) => printedFiles(program, rest))];
    printedFiles = (program, rest) => {
      const words = [...rest.matchAll(WORD2)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
      if (program === "sed" && (!words.includes("-n") || words.some((word) => word.startsWith("-i")))) return [];
      const isOption = (word, index) => word.startsWith("-") || /^\d+$/.test(word) || program === "sed" && index === words.indexOf("-n") + 1;
      const files = words.filter((word, index) => word !== "" && !isOption(word, index));
      const part = words.filter((word, index) => isOption(word, index)).join(" ");
      return files.map((path3) => ({ path: path3, operation: "read", ...part === "" ? {} : { part } }));
    };
  }
});

// ../core/src/recall/analyse-entry.ts
var analyseEntry;
var init_analyse_entry = __esm({
  "../core/src/recall/analyse-entry.ts"() {
    init_message_analysis();
    init_message_text();
    init_file_tools();
    analyseEntry = (entry, isRepeated) => {
      const message = messageToAnalyse(entry, fileOperationsOf);
      return analyseMessage({ ...message, texts: message.texts.filter((text) => !isRepeated(text)) });
    };
  }
});

// ../core/src/recall/index/bytes.ts
var ByteWriter, ByteReader;
var init_bytes = __esm({
  "../core/src/recall/index/bytes.ts"() {
    ByteWriter = class {
      #bytes;
      #length = 0;
      constructor(capacity = 1024) {
        this.#bytes = new Uint8Array(capacity);
      }
      get length() {
        return this.#length;
      }
      byte(value) {
        this.#reserve(1);
        this.#bytes[this.#length] = value;
        this.#length += 1;
      }
      /** Unsigned LEB128; up to 2^32 − 1. */
      varint(value) {
        this.#reserve(5);
        let rest = value >>> 0;
        while (rest >= 128) {
          this.#bytes[this.#length] = rest & 127 | 128;
          this.#length += 1;
          rest >>>= 7;
        }
        this.#bytes[this.#length] = rest;
        this.#length += 1;
      }
      bytes(values) {
        this.#reserve(values.length);
        this.#bytes.set(values, this.#length);
        this.#length += values.length;
      }
      /** The bytes of any typed array. */
      array(values) {
        this.bytes(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
      }
      /** What was written; valid until the next write. */
      view() {
        return this.#bytes.subarray(0, this.#length);
      }
      /** What was written, as a copy. */
      copy() {
        return this.#bytes.slice(0, this.#length);
      }
      clear() {
        this.#length = 0;
      }
      #reserve(count) {
        if (this.#length + count <= this.#bytes.length) return;
        const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
        larger.set(this.#bytes.subarray(0, this.#length));
        this.#bytes = larger;
      }
    };
    ByteReader = class {
      #bytes;
      #place = 0;
      constructor(bytes) {
        this.#bytes = bytes;
      }
      byte() {
        const value = this.#bytes[this.#place] ?? 0;
        this.#place += 1;
        return value;
      }
      varint() {
        let value = 0;
        for (let shift = 0; shift < 35; shift += 7) {
          const byte = this.byte();
          value |= (byte & 127) << shift;
          if (byte < 128) break;
        }
        return value >>> 0;
      }
      /** A copy of the next bytes: aligned, so that any typed array can lie over it. */
      bytes(count) {
        const copy = new Uint8Array(this.#bytes.subarray(this.#place, this.#place + count));
        this.#place += count;
        return copy;
      }
    };
  }
});

// ../core/src/recall/index/document.ts
var FILE_OPERATIONS, FORM, encoder, decoder, encodeMessage, decodeMessage;
var init_document = __esm({
  "../core/src/recall/index/document.ts"() {
    init_bytes();
    FILE_OPERATIONS = ["read", "edit", "mention"];
    FORM = 1;
    encoder = new TextEncoder();
    decoder = new TextDecoder();
    encodeMessage = (at, message) => {
      const writer = new ByteWriter(message.passages.reduce((sum, { counts }) => sum + 8 + counts.length * 5, 64 + message.files.length * 64));
      writer.byte(FORM);
      writer.array(Float64Array.of(at ?? Number.NaN));
      writer.varint(message.flags);
      writer.varint(message.author);
      writer.varint(message.passages.length);
      for (const { tokens, hashes, counts } of message.passages) {
        writer.varint(tokens);
        writer.varint(hashes.length);
        writer.array(hashes);
        writer.bytes(counts);
      }
      writer.varint(message.files.length);
      for (const { path: path3, operation } of message.files) {
        const bytes = encoder.encode(path3);
        writer.byte(FILE_OPERATIONS.indexOf(operation));
        writer.varint(bytes.length);
        writer.bytes(bytes);
      }
      return writer.copy();
    };
    decodeMessage = (bytes) => {
      const reader = new ByteReader(bytes);
      const form = reader.byte();
      if (form !== FORM) throw new RangeError(`the search index holds a message of the form ${form}`);
      const [at = Number.NaN] = new Float64Array(reader.bytes(8).buffer);
      const flags = reader.varint();
      const author = reader.varint();
      const passages = Array.from({ length: reader.varint() }, () => {
        const tokens = reader.varint();
        const terms = reader.varint();
        return { tokens, hashes: new Uint32Array(reader.bytes(terms * 4).buffer), counts: reader.bytes(terms) };
      });
      const files = Array.from({ length: reader.varint() }, () => {
        const operation = FILE_OPERATIONS[reader.byte()] ?? "mention";
        return { operation, path: decoder.decode(reader.bytes(reader.varint())) };
      });
      return { at, message: { passages, flags, author, files } };
    };
  }
});

// ../core/src/recall/index/segment.ts
var PAGES_MAXIMUM, PAGE_BYTES, MAGIC, HEADER_NUMBERS, pageBytesFor, isDense, DENSE_HEADER, findTerm, knownAuthors, pagesOf, pagesIn, encodeHead, decodeHead;
var init_segment = __esm({
  "../core/src/recall/index/segment.ts"() {
    init_bytes();
    PAGES_MAXIMUM = 1024;
    PAGE_BYTES = 8e3;
    MAGIC = 1668507441;
    HEADER_NUMBERS = 11;
    pageBytesFor = (postingBytes) => Math.max(PAGE_BYTES, Math.ceil(postingBytes / (PAGES_MAXIMUM - 1)));
    isDense = (termPassages, passages) => passages >= 32 && termPassages * 4 >= passages;
    DENSE_HEADER = 16;
    findTerm = ({ termHash }, hash3) => {
      let low = 0;
      let high = termHash.length - 1;
      while (low <= high) {
        const middle = low + high >>> 1;
        const found = termHash[middle] ?? 0;
        if (found === hash3) return middle;
        if (found < hash3) low = middle + 1;
        else high = middle - 1;
      }
      return -1;
    };
    knownAuthors = (author) => author.every((hash3) => hash3 === 0) ? new Uint32Array() : author;
    pagesOf = (segment, term) => [
      Math.floor((segment.termOffset[term] ?? 0) / segment.pageBytes),
      Math.floor(((segment.termOffset[term + 1] ?? 1) - 1) / segment.pageBytes)
    ];
    pagesIn = ({ segment, postings }) => Array.from({ length: Math.ceil(postings.length / segment.pageBytes) }, (_, page) => postings.subarray(page * segment.pageBytes, (page + 1) * segment.pageBytes));
    encodeHead = (segment) => {
      const paths = new TextEncoder().encode(JSON.stringify(segment.paths));
      const header = Float64Array.of(
        MAGIC,
        segment.messages,
        segment.passages,
        segment.tokens,
        segment.postingBytes,
        segment.pageBytes,
        segment.runSession.length,
        segment.termHash.length,
        segment.touchMessage.length,
        paths.length,
        segment.author.length
      );
      const writer = new ByteWriter(header.byteLength + segment.messages * 24 + segment.termHash.length * 12 + paths.length + 256);
      writer.array(header);
      writer.array(segment.at);
      for (const values of [segment.seq, segment.author, segment.firstPassage, segment.runSession, segment.runStart]) writer.array(values);
      for (const values of [segment.termHash, segment.termPassages, segment.termOffset, segment.touchMessage, segment.touchPath]) writer.array(values);
      writer.array(segment.flags);
      writer.array(segment.passageTokens);
      writer.array(segment.touchOperation);
      writer.array(paths);
      return writer.copy();
    };
    decodeHead = (bytes) => {
      const { buffer: buffer2 } = new Uint8Array(bytes);
      const [magic, messages = 0, passages = 0, tokens = 0, postingBytes = 0, pageBytes = 0, runs = 0, terms = 0, touches = 0, pathBytes = 0, authors = 0] = new Float64Array(buffer2, 0, HEADER_NUMBERS);
      if (magic !== MAGIC) throw new RangeError("the search index holds a segment of another form");
      let place = HEADER_NUMBERS * 8;
      const words = (count) => {
        const array = new Uint32Array(buffer2, place, count);
        place += count * 4;
        return array;
      };
      const halves = (count) => {
        const array = new Uint16Array(buffer2, place, count);
        place += count * 2;
        return array;
      };
      const at = new Float64Array(buffer2, place, messages);
      place += messages * 8;
      const [seq, author, firstPassage, runSession, runStart] = [words(messages), words(authors), words(messages + 1), words(runs), words(runs + 1)];
      const [termHash, termPassages, termOffset, touchMessage, touchPath] = [words(terms), words(terms), words(terms + 1), words(touches), words(touches)];
      const [flags, passageTokens] = [halves(messages), halves(passages)];
      const touchOperation = new Uint8Array(buffer2, place, touches);
      const paths = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer2, place + touches, pathBytes)));
      return {
        messages,
        passages,
        tokens,
        postingBytes,
        pageBytes,
        at,
        seq,
        author,
        flags,
        firstPassage,
        passageTokens,
        runSession,
        runStart,
        termHash,
        termPassages,
        termOffset,
        touchMessage,
        touchPath,
        touchOperation,
        paths
      };
    };
  }
});

// ../core/src/recall/index/postings.ts
var Postings, readPostings, denseForms, writePostings;
var init_postings = __esm({
  "../core/src/recall/index/postings.ts"() {
    init_segment();
    Postings = class {
      passage;
      byte;
      length = 0;
      constructor(capacity = 1024) {
        this.passage = new Int32Array(capacity);
        this.byte = new Uint8Array(capacity);
      }
      reserve(more) {
        const needed = this.length + more;
        if (needed <= this.passage.length) return;
        const capacity = Math.max(needed, this.passage.length * 2);
        const [passage, byte] = [new Int32Array(capacity), new Uint8Array(capacity)];
        passage.set(this.passage.subarray(0, this.length));
        byte.set(this.byte.subarray(0, this.length));
        this.passage = passage;
        this.byte = byte;
      }
    };
    readPostings = (bytes, termPassages, passages, base, into) => {
      into.reserve(termPassages);
      const { passage, byte } = into;
      let length = into.length;
      if (isDense(termPassages, passages)) {
        for (let place = 0; place < passages; place += 1) {
          const value = bytes[DENSE_HEADER + place];
          if (value === 0) continue;
          passage[length] = base + place;
          byte[length] = value;
          length += 1;
        }
      } else {
        let place = 0;
        let current = base - 1;
        for (let index = 0; index < termPassages; index += 1) {
          let delta = bytes[place];
          place += 1;
          if (delta >= 128) {
            delta &= 127;
            for (let shift = 7; ; shift += 7) {
              const more = bytes[place];
              place += 1;
              delta |= (more & 127) << shift;
              if (more < 128) break;
            }
          }
          current += delta;
          passage[length] = current;
          byte[length] = bytes[place];
          place += 1;
          length += 1;
        }
      }
      into.length = length;
    };
    denseForms = (bytes, form) => {
      if (form === 0) return 0;
      const place = 4 * (31 - Math.clz32(form));
      return (bytes[place] | bytes[place + 1] << 8 | bytes[place + 2] << 16 | bytes[place + 3] << 24) >>> 0;
    };
    writePostings = (postings, start, end2, passages, writer) => {
      const { passage, byte } = postings;
      if (isDense(end2 - start, passages)) {
        const dense = new Uint8Array(passages);
        const forms = new Uint32Array(DENSE_HEADER / 4);
        for (let index = start; index < end2; index += 1) {
          const value = byte[index];
          dense[passage[index]] = value;
          for (let form = 0; form < forms.length; form += 1) if ((value & 16 << form) !== 0) forms[form] = forms[form] + 1;
        }
        writer.array(forms);
        writer.bytes(dense);
        return;
      }
      let before = -1;
      for (let index = start; index < end2; index += 1) {
        const current = passage[index];
        writer.varint(current - before);
        writer.byte(byte[index]);
        before = current;
      }
    };
  }
});

// ../core/src/recall/index/build.ts
var inOrder, buildSegment, countTerms, factsOf;
var init_build = __esm({
  "../core/src/recall/index/build.ts"() {
    init_bytes();
    init_document();
    init_postings();
    init_segment();
    inOrder = (left, right) => left.session - right.session || left.seq - right.seq;
    buildSegment = (given) => {
      const messages = [...given].sort(inOrder);
      const facts = factsOf(messages);
      const { terms, numbers, size } = countTerms(messages);
      const hashes = Uint32Array.from(terms.keys()).sort();
      const next = new Uint32Array(hashes.length + 1);
      const termPassages = Uint32Array.from(hashes, (hash3) => terms.get(hash3)?.count ?? 0);
      let total = 0;
      hashes.forEach((hash3, index) => {
        next[terms.get(hash3)?.number ?? 0] = total;
        total += termPassages[index] ?? 0;
      });
      const postings = new Postings(size);
      let place = 0;
      let passage = 0;
      for (const { message } of messages) {
        for (const { counts } of message.passages) {
          for (let term = 0; term < counts.length; term += 1, place += 1) {
            const number2 = numbers[place];
            const slot = next[number2];
            postings.passage[slot] = passage;
            postings.byte[slot] = counts[term];
            next[number2] = slot + 1;
          }
          passage += 1;
        }
      }
      const writer = new ByteWriter(size * 3 + 1024);
      const termOffset = new Uint32Array(hashes.length + 1);
      let start = 0;
      hashes.forEach((_, index) => {
        termOffset[index] = writer.length;
        const end2 = start + (termPassages[index] ?? 0);
        writePostings(postings, start, end2, passage, writer);
        start = end2;
      });
      termOffset[hashes.length] = writer.length;
      const segment = { ...facts, postingBytes: writer.length, pageBytes: pageBytesFor(writer.length), termHash: hashes, termPassages, termOffset };
      return { segment, postings: writer.copy() };
    };
    countTerms = (messages) => {
      const size = messages.reduce((sum, { message }) => sum + message.passages.reduce((all, { counts }) => all + counts.length, 0), 0);
      const terms = /* @__PURE__ */ new Map();
      const numbers = new Uint32Array(size);
      let place = 0;
      for (const { message } of messages) {
        for (const { hashes } of message.passages) {
          for (const hash3 of hashes) {
            let term = terms.get(hash3);
            if (term === void 0) terms.set(hash3, term = { number: terms.size, count: 0 });
            term.count += 1;
            numbers[place] = term.number;
            place += 1;
          }
        }
      }
      return { terms, numbers, size };
    };
    factsOf = (messages) => {
      const firstPassage = new Uint32Array(messages.length + 1);
      const [runSession, runStart] = [[], []];
      const [touchMessage, touchPath, touchOperation] = [[], [], []];
      const paths = /* @__PURE__ */ new Map();
      messages.forEach(({ session, message }, index) => {
        firstPassage[index + 1] = (firstPassage[index] ?? 0) + message.passages.length;
        if (runSession.at(-1) !== session) {
          runSession.push(session);
          runStart.push(index);
        }
        for (const { path: path3, operation } of message.files) {
          const known2 = paths.get(path3) ?? paths.size;
          paths.set(path3, known2);
          touchMessage.push(index);
          touchPath.push(known2);
          touchOperation.push(FILE_OPERATIONS.indexOf(operation));
        }
      });
      const passageTokens = Uint16Array.from(messages.flatMap(({ message }) => message.passages.map(({ tokens }) => tokens)));
      return {
        messages: messages.length,
        passages: passageTokens.length,
        tokens: passageTokens.reduce((sum, tokens) => sum + tokens, 0),
        at: Float64Array.from(messages, ({ at }) => at),
        seq: Uint32Array.from(messages, ({ seq }) => seq),
        author: knownAuthors(Uint32Array.from(messages, ({ message }) => message.author)),
        flags: Uint16Array.from(messages, ({ message }) => message.flags),
        firstPassage,
        passageTokens,
        runSession: Uint32Array.from(runSession),
        runStart: Uint32Array.from([...runStart, messages.length]),
        touchMessage: Uint32Array.from(touchMessage),
        touchPath: Uint32Array.from(touchPath),
        touchOperation: Uint8Array.from(touchOperation),
        paths: [...paths.keys()]
      };
    };
  }
});

// ../core/src/recall/index/merge.ts
var POSTINGS_PER_STEP, mergeSegments, orderOf, mergeFacts, mergeTouches, mergeTerms, appendMoved, sortPostings;
var init_merge = __esm({
  "../core/src/recall/index/merge.ts"() {
    init_bytes();
    init_postings();
    init_segment();
    POSTINGS_PER_STEP = 6e4;
    mergeSegments = function* (sources, without = /* @__PURE__ */ new Set()) {
      const order = orderOf(sources.map(({ segment }) => segment), without);
      yield;
      const { facts, numberOf } = mergeFacts(sources.map(({ segment }) => segment), order);
      yield;
      const terms = yield* mergeTerms(sources, numberOf, facts.passages);
      return {
        segment: { ...facts, postingBytes: terms.postings.length, pageBytes: pageBytesFor(terms.postings.length), termHash: terms.hash, termPassages: terms.passages, termOffset: terms.offset },
        postings: terms.postings
      };
    };
    orderOf = (segments, without) => {
      const places = [];
      segments.forEach((segment, source) => {
        segment.runSession.forEach((session, run) => {
          if (without.has(session)) return;
          for (let message = segment.runStart[run] ?? 0; message < (segment.runStart[run + 1] ?? 0); message += 1) places.push({ source, message, session, seq: segment.seq[message] ?? 0 });
        });
      });
      return places.sort((left, right) => left.session - right.session || left.seq - right.seq);
    };
    mergeFacts = (segments, order) => {
      const numberOf = segments.map((segment) => new Int32Array(segment.passages).fill(-1));
      const newMessage = segments.map((segment) => new Int32Array(segment.messages).fill(-1));
      const [at, seq, author, flags] = [new Float64Array(order.length), new Uint32Array(order.length), new Uint32Array(order.length), new Uint16Array(order.length)];
      const firstPassage = new Uint32Array(order.length + 1);
      const passageTokens = [];
      const [runSession, runStart] = [[], []];
      let tokens = 0;
      order.forEach(({ source, message, session }, index) => {
        const segment = segments[source];
        at[index] = segment.at[message];
        seq[index] = segment.seq[message];
        author[index] = segment.author[message] ?? 0;
        flags[index] = segment.flags[message];
        if (runSession.at(-1) !== session) {
          runSession.push(session);
          runStart.push(index);
        }
        const map = numberOf[source];
        for (let passage = segment.firstPassage[message]; passage < segment.firstPassage[message + 1]; passage += 1) {
          map[passage] = passageTokens.length;
          passageTokens.push(segment.passageTokens[passage]);
          tokens += segment.passageTokens[passage];
        }
        firstPassage[index + 1] = passageTokens.length;
        newMessage[source][message] = index;
      });
      const facts = {
        messages: order.length,
        passages: passageTokens.length,
        tokens,
        at,
        seq,
        author: knownAuthors(author),
        flags,
        firstPassage,
        passageTokens: Uint16Array.from(passageTokens),
        runSession: Uint32Array.from(runSession),
        runStart: Uint32Array.from([...runStart, order.length]),
        ...mergeTouches(segments, newMessage)
      };
      return { facts, numberOf };
    };
    mergeTouches = (segments, newMessage) => {
      const paths = /* @__PURE__ */ new Map();
      const touches = [];
      segments.forEach((segment, source) => {
        segment.touchMessage.forEach((message, index) => {
          const moved = newMessage[source]?.[message] ?? -1;
          if (moved === -1) return;
          const path3 = segment.paths[segment.touchPath[index] ?? 0] ?? "";
          const number2 = paths.get(path3) ?? paths.size;
          paths.set(path3, number2);
          touches.push({ message: moved, path: number2, operation: segment.touchOperation[index] ?? 0 });
        });
      });
      touches.sort((left, right) => left.message - right.message);
      return {
        touchMessage: Uint32Array.from(touches, ({ message }) => message),
        touchPath: Uint32Array.from(touches, ({ path: path3 }) => path3),
        touchOperation: Uint8Array.from(touches, ({ operation }) => operation),
        paths: [...paths.keys()]
      };
    };
    mergeTerms = function* (sources, numberOf, passages) {
      const next = sources.map(() => 0);
      const [hash3, count, offset] = [[], [], []];
      const writer = new ByteWriter(sources.reduce((sum, { postings }) => sum + postings.length, 1024));
      const [all, one] = [new Postings(), new Postings()];
      for (let done = 0; ; ) {
        let least = Infinity;
        for (let source = 0; source < sources.length; source += 1) least = Math.min(least, sources[source]?.segment.termHash[next[source]] ?? Infinity);
        if (least === Infinity) break;
        all.length = 0;
        for (const [source, { segment, postings }] of sources.entries()) {
          const term = next[source];
          if (segment.termHash[term] !== least) continue;
          next[source] = term + 1;
          one.length = 0;
          readPostings(postings.subarray(segment.termOffset[term], segment.termOffset[term + 1]), segment.termPassages[term], segment.passages, 0, one);
          appendMoved(one, numberOf[source], all);
        }
        done += all.length;
        if (all.length > 0) {
          sortPostings(all);
          hash3.push(least);
          count.push(all.length);
          offset.push(writer.length);
          writePostings(all, 0, all.length, passages, writer);
        }
        if (done >= POSTINGS_PER_STEP) {
          done = 0;
          yield;
        }
      }
      offset.push(writer.length);
      return { hash: Uint32Array.from(hash3), passages: Uint32Array.from(count), offset: Uint32Array.from(offset), postings: writer.copy() };
    };
    appendMoved = (from, numberOf, to) => {
      to.reserve(from.length);
      for (let index = 0; index < from.length; index += 1) {
        const moved = numberOf[from.passage[index]];
        if (moved === -1) continue;
        to.passage[to.length] = moved;
        to.byte[to.length] = from.byte[index];
        to.length += 1;
      }
    };
    sortPostings = ({ passage, byte, length }) => {
      let isSorted = true;
      for (let index = 1; index < length && isSorted; index += 1) isSorted = passage[index - 1] < passage[index];
      if (isSorted) return;
      const keys = Float64Array.from({ length }, (_, index) => passage[index] * 256 + byte[index]).sort();
      for (let index = 0; index < length; index += 1) {
        const key = keys[index];
        passage[index] = Math.floor(key / 256);
        byte[index] = key % 256;
      }
    };
  }
});

// ../core/src/text-analysis/related.ts
var ALIKE, KINDS, RELATED, relatedTo;
var init_related = __esm({
  "../core/src/text-analysis/related.ts"() {
    init_words();
    ALIKE = "kid child|mom mother mum|dad father|husband wife spouse partner|boyfriend girlfriend partner|friend buddy pal|photo picture pic image|movie film|job career profession work|company business firm startup|store shop|buy purchase|begin start launch|finish complete|like love enjoy favorite|hate dislike|happy glad excited thrilled|sad upset|scared afraid frightened nervous|trip travel vacation journey|house home apartment|car vehicle|sick ill illness disease|doctor physician hospital clinic|exercise workout gym fitness|game match|teacher professor|exam test|gift present|money cash salary|help support assist|advice tip suggestion recommend|plan intend|goal dream aim ambition|problem issue trouble challenge difficulty struggle|win award prize trophy|accident crash|repair fix|live reside|move relocate|speak talk chat discuss|say tell mention|meet encounter|think believe opinion|decide decision|choose choice|reason motive inspire|big large huge|small little tiny|error bug failure exception|folder directory|delete remove|change modify update|config configuration setting|database db|auth login authentication|deploy release";
    KINDS = "parent: mother father mom dad|sibling: brother sister|child: son daughter baby toddler|family: mother father brother sister son daughter wife husband kid|pet animal: dog cat puppy kitten fish rabbit hamster bird parrot turtle snake horse|instrument: guitar piano violin drum flute clarinet cello saxophone trumpet keyboard ukulele bass|music musician artist: song band singer concert album tune|art: paint draw sculpture pottery sketch|sport: football basketball soccer tennis baseball golf swim run surf ski hockey volleyball boxing climb|hobby activity: paint hike swim run cook bake garden read dance camp yoga photography knit pottery|exercise: run yoga swim gym weights|outdoors nature: hike camp mountain beach park forest lake trail|food meal dish: cook recipe dinner lunch breakfast cake salad soup pizza pasta chicken|dessert: cake pie cookie cream chocolate|drink: coffee tea wine beer juice|book: novel read author series|movie: watch film cinema|event: party festival ceremony parade concert conference celebration|holiday: christmas thanksgiving easter halloween|country: usa canada mexico france germany italy spain england ireland japan china india brazil australia|city: paris london rome berlin tokyo york boston chicago seattle francisco|state: california florida oregon texas washington colorado michigan|color: red blue green yellow purple pink orange black white|vehicle: car truck bike motorcycle van|school education degree: college university class course study graduate|volunteer charity: shelter donate fundraiser homeless community|religion: church faith god pray|health: doctor hospital sick injury pain|emotion feeling: happy sad excited proud nervous grateful|marry wedding marriage: husband wife engaged|job: promotion manager hire company interview|language: python javascript typescript java rust go|database: postgresql mysql sqlite redis mongodb|framework: react django fastapi express next|test: spec jest pytest coverage|deployment: docker kubernetes nginx production";
    RELATED = (() => {
      const found = /* @__PURE__ */ new Map();
      const relate = (from, to) => {
        if (from.hash === to.hash) return;
        const list = found.get(from.hash) ?? /* @__PURE__ */ new Map();
        found.set(from.hash, list.set(to.hash, to));
      };
      for (const group of ALIKE.split("|")) {
        const terms = group.split(" ").map(termOf);
        for (const from of terms) for (const to of terms) relate(from, to);
      }
      for (const group of KINDS.split("|")) {
        const [kinds2 = "", members = ""] = group.split(": ");
        for (const kind of kinds2.split(" ")) for (const member of members.split(" ")) relate(termOf(kind), termOf(member));
      }
      return new Map([...found].map(([hash3, list]) => [hash3, [...list.values()]]));
    })();
    relatedTo = (hash3) => RELATED.get(hash3) ?? [];
  }
});

// ../core/src/text-analysis/query.ts
var ASKING, isQuestion, MOST_JOINED, LONGEST_JOINED, MOST_QUERY_TERMS, analyseQuery, MOST_RELATED, chooseTerms, rarest;
var init_query = __esm({
  "../core/src/text-analysis/query.ts"() {
    init_related();
    init_scan();
    init_words();
    ASKING = /\?|^\s*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b/i;
    isQuestion = (text) => ASKING.test(text);
    MOST_JOINED = 6;
    LONGEST_JOINED = 48;
    MOST_QUERY_TERMS = 96;
    analyseQuery = (text) => {
      const terms = /* @__PURE__ */ new Map();
      const add = ({ hash: hash3, form, text: words }, kind) => {
        const former = terms.get(hash3);
        if (former === void 0) terms.set(hash3, { hash: hash3, text: words, kind, form });
        else if (kind === "word" && former.kind !== "word") terms.set(hash3, { ...former, kind });
      };
      let adjacent = [];
      const joins = [];
      const places = [];
      const parts = /* @__PURE__ */ new Set();
      const joinAll = () => {
        for (let from = 0; from < adjacent.length; from++) {
          let joined = adjacent[from] ?? "";
          for (let to = from + 1; to < Math.min(adjacent.length, from + MOST_JOINED); to++) {
            joined += adjacent[to] ?? "";
            if (joined.length > LONGEST_JOINED) break;
            joins.push(joined);
          }
        }
        adjacent = [];
      };
      scan(text, {
        word: ({ terms: [whole, ...inner] }, _traits, start) => {
          if (whole === void 0) return;
          add(whole, "word");
          places.push([whole.hash, start]);
          adjacent.push(whole.text);
          for (const part of inner) add(part, "part");
        },
        joined: (term, start) => {
          add(term, "joined");
          for (const [hash3, at] of places) if (at >= start) parts.add(hash3);
        },
        // Pairs say more than their characters, and hold them.
        sign: (term, alone) => {
          joinAll();
          if (alone) add(term, "word");
        },
        pair: (term) => add(term, "word"),
        end: joinAll,
        question: () => void 0
      });
      for (const joined of joins) add(termOf(joined), "joined");
      if (isQuestion(text)) {
        for (const { hash: hash3, kind } of [...terms.values()]) if (kind === "word") for (const term of relatedTo(hash3)) add({ ...term, form: 0 }, "related");
      }
      return [...terms.values()].map((term) => parts.has(term.hash) ? { ...term, kind: "part" } : term);
    };
    MOST_RELATED = 16;
    chooseTerms = (terms, passagesOf2, most = MOST_QUERY_TERMS) => {
      const counted = terms.map((term) => ({ term, passages: passagesOf2(term) })).filter(({ term, passages }) => passages > 0 || term.kind === "word" || term.kind === "part");
      const own = counted.filter(({ term }) => term.kind !== "related");
      const related = rarest(
        counted.filter(({ term }) => term.kind === "related"),
        Math.min(MOST_RELATED, Math.max(0, most - own.length))
      );
      const held = own.length <= most ? own : rarest(own.filter(({ passages }) => passages > 0), most);
      const kept = new Set([...held, ...related].map(({ term }) => term));
      return terms.filter((term) => kept.has(term));
    };
    rarest = (counted, most) => counted.length <= most ? counted : [...counted].sort((left, right) => left.passages - right.passages).slice(0, most);
  }
});

// ../core/src/recall/index/term-matches.ts
var SegmentGone, PAGES_PER_READ, LARGE, COMMON_SHARE, ENOUGH, matchTerms, lookUp, groupsOf, pageIds, bytesOf, readTerm, readCommon;
var init_term_matches = __esm({
  "../core/src/recall/index/term-matches.ts"() {
    init_query();
    init_postings();
    init_segment();
    SegmentGone = class extends Error {
    };
    PAGES_PER_READ = 1024;
    LARGE = 5e4;
    COMMON_SHARE = 1 / 4;
    ENOUGH = 5e3;
    matchTerms = async (view, corpus, candidates, read, scratch) => {
      scratch.clear();
      const found = lookUp(view, candidates);
      const passagesOf2 = new Map(found.map(({ term, passages }) => [term, passages]));
      const chosen = new Set(chooseTerms(candidates, (term) => passagesOf2.get(term) ?? 0));
      const lookups = found.filter(({ term }) => chosen.has(term)).sort((left, right) => left.passages - right.passages || left.term.hash - right.term.hash);
      const matches = [];
      let rare = 0;
      for (const group of groupsOf(lookups)) {
        const pages = await read(group.flatMap(({ places }) => places.flatMap(pageIds)));
        for (const lookup of group) {
          const isCommon = corpus.messages > LARGE && lookup.passages > view.passages * COMMON_SHARE && rare >= ENOUGH;
          matches.push(isCommon ? readCommon(view, corpus, lookup, pages, scratch) : readTerm(corpus, lookup, pages, scratch.postings));
          if (!isCommon) rare += lookup.passages;
        }
      }
      const terms = matches.filter(({ term, passages }) => passages > 0 || term.kind !== "joined").sort((left, right) => left.passages - right.passages || left.term.hash - right.term.hash);
      return { terms, postings: scratch.postings };
    };
    lookUp = (view, terms) => terms.map((term) => {
      const places = [];
      let passages = 0;
      for (const part of view.segments) {
        const number2 = findTerm(part.segment, term.hash);
        if (number2 === -1) continue;
        places.push({ in: part, number: number2 });
        passages += part.segment.termPassages[number2];
      }
      return { term, places, passages };
    });
    groupsOf = (lookups) => {
      const groups = [];
      let pages = Infinity;
      for (const lookup of lookups) {
        const own = lookup.places.reduce((sum, { in: { segment }, number: number2 }) => sum + (pagesOf(segment, number2)[1] - pagesOf(segment, number2)[0] + 1), 0);
        if (pages + own > PAGES_PER_READ) {
          groups.push([]);
          pages = 0;
        }
        groups.at(-1)?.push(lookup);
        pages += own;
      }
      return groups;
    };
    pageIds = ({ in: { segment, firstPage, postings }, number: number2 }) => {
      if (postings !== void 0) return [];
      const [first, last] = pagesOf(segment, number2);
      return Array.from({ length: last - first + 1 }, (_, index) => firstPage + first + index);
    };
    bytesOf = ({ in: { segment, firstPage, postings }, number: number2 }, pages) => {
      const [start, end2] = [segment.termOffset[number2], segment.termOffset[number2 + 1]];
      if (postings !== void 0) return postings.subarray(start, end2);
      const [first, last] = pagesOf(segment, number2);
      const page = (index) => {
        const bytes = pages.get(firstPage + index);
        if (bytes === void 0) throw new SegmentGone();
        return bytes;
      };
      const from = start - first * segment.pageBytes;
      if (first === last) return page(first).subarray(from, end2 - first * segment.pageBytes);
      const whole = new Uint8Array(end2 - start);
      for (let index = first; index <= last; index += 1) {
        const base = index * segment.pageBytes;
        const bytes = page(index);
        whole.set(bytes.subarray(Math.max(0, start - base), Math.min(bytes.length, end2 - base)), Math.max(0, base - start));
      }
      return whole;
    };
    readTerm = ({ allowed }, { term, places }, pages, postings) => {
      const start = postings.length;
      for (const place of places) {
        const { segment, passageBase } = place.in;
        readPostings(bytesOf(place, pages), segment.termPassages[place.number], segment.passages, passageBase, postings);
      }
      const { passage, byte } = postings;
      let end2 = start;
      let forms = 0;
      const form = term.form << 4;
      for (let index = start; index < postings.length; index += 1) {
        const at = passage[index];
        if (allowed !== void 0 && allowed[at] === 0) continue;
        const value = byte[index];
        passage[end2] = at;
        byte[end2] = value;
        end2 += 1;
        if ((value & form) !== 0) forms += 1;
      }
      postings.length = end2;
      return { term, start, end: end2, dense: void 0, passages: end2 - start, forms };
    };
    readCommon = (view, { allowed }, { term, places, passages: everywhere }, pages, scratch) => {
      const dense = scratch.bytes(view.passages);
      const { postings } = scratch;
      const start = postings.length;
      const form = term.form << 4;
      let forms = 0;
      for (const place of places) {
        const { segment, passageBase } = place.in;
        const bytes = bytesOf(place, pages);
        const count = segment.termPassages[place.number];
        if (isDense(count, segment.passages)) {
          dense.set(bytes.subarray(DENSE_HEADER), passageBase);
          forms += denseForms(bytes, term.form);
          continue;
        }
        readPostings(bytes, count, segment.passages, passageBase, postings);
        for (let index = start; index < postings.length; index += 1) {
          const value = postings.byte[index];
          dense[postings.passage[index]] = value;
          if ((value & form) !== 0) forms += 1;
        }
        postings.length = start;
      }
      if (allowed === void 0) return { term, start, end: start, dense, passages: everywhere, forms };
      let passages = 0;
      forms = 0;
      for (let passage = 0; passage < dense.length; passage += 1) {
        const value = dense[passage];
        if (value === 0) continue;
        if (allowed[passage] === 0) {
          dense[passage] = 0;
          continue;
        }
        passages += 1;
        if ((value & form) !== 0) forms += 1;
      }
      return { term, start, end: start, dense, passages, forms };
    };
  }
});

// ../core/src/recall/index/view.ts
var createView, roomOf, runsOf, placeSessions, sortBySeq, segmentOf;
var init_view = __esm({
  "../core/src/recall/index/view.ts"() {
    createView = (parts, earlier) => {
      const segments = [];
      let [messages, passages, tokens] = [0, 0, 0];
      for (const part of parts) {
        const { segment } = part;
        segments.push({
          segment,
          messageBase: messages,
          passageBase: passages,
          postings: "postings" in part ? part.postings : void 0,
          firstPage: "firstPage" in part ? part.firstPage : 0
        });
        messages += segment.messages;
        passages += segment.passages;
        tokens += segment.tokens;
      }
      const runs = runsOf(segments);
      const view = {
        segments,
        messages,
        passages,
        tokens,
        sessions: new Uint32Array(runs.count),
        sessionStart: new Uint32Array(runs.count + 1),
        atPosition: new Uint32Array(roomOf(earlier?.atPosition, messages * 4), 0, messages),
        position: new Uint32Array(roomOf(earlier?.position, messages * 4), 0, messages),
        sessionOf: new Int32Array(roomOf(earlier?.sessionOf, passages * 4), 0, passages),
        passageTokens: new Uint16Array(roomOf(earlier?.passageTokens, passages * 2), 0, passages)
      };
      const sessions = placeSessions(segments, runs, view);
      for (let position = 0; position < messages; position += 1) view.position[view.atPosition[position]] = position;
      for (const { segment, passageBase } of segments) view.passageTokens.set(segment.passageTokens, passageBase);
      return { ...view, sessions: view.sessions.slice(0, sessions), sessionStart: view.sessionStart.slice(0, sessions + 1) };
    };
    roomOf = (earlier, bytes) => {
      if (earlier !== void 0 && earlier.buffer.byteLength >= bytes) return earlier.buffer;
      return new ArrayBuffer(Math.ceil(bytes * 1.02 / 8) * 8 + 4096);
    };
    runsOf = (segments) => {
      const count = segments.reduce((sum, { segment: segment2 }) => sum + segment2.runSession.length, 0);
      const [segment, number2, session, first] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
      let place = 0;
      for (const [index, { segment: own }] of segments.entries()) {
        for (let run = 0; run < own.runSession.length; run += 1, place += 1) {
          segment[place] = index;
          number2[place] = run;
          session[place] = own.runSession[run];
          first[place] = own.seq[own.runStart[run]];
        }
      }
      const order = new Uint32Array(count);
      for (let index = 0; index < count; index += 1) order[index] = index;
      order.sort((left, right) => session[left] - session[right] || first[left] - first[right]);
      return { count, order, segment, number: number2 };
    };
    placeSessions = (segments, runs, view) => {
      let [sessions, position, start, lastSeq] = [0, 0, 0, -1];
      let inOrder2 = true;
      const seqs = [];
      const finish = () => {
        if (!inOrder2) sortBySeq(view.atPosition.subarray(start, position), seqs);
      };
      for (let index = 0; index < runs.count; index += 1) {
        const run = runs.order[index];
        const { segment, messageBase, passageBase } = segments[runs.segment[run]];
        const number2 = runs.number[run];
        const session = segment.runSession[number2];
        const [from, end2] = [segment.runStart[number2], segment.runStart[number2 + 1]];
        if (sessions === 0 || view.sessions[sessions - 1] !== session) {
          finish();
          view.sessions[sessions] = session;
          view.sessionStart[sessions] = position;
          sessions += 1;
          start = position;
          lastSeq = -1;
          inOrder2 = true;
          seqs.length = 0;
        }
        inOrder2 &&= segment.seq[from] > lastSeq;
        lastSeq = Math.max(lastSeq, segment.seq[end2 - 1]);
        for (let message = from; message < end2; message += 1) {
          view.atPosition[position] = messageBase + message;
          seqs.push(segment.seq[message]);
          position += 1;
        }
        view.sessionOf.fill(sessions - 1, passageBase + segment.firstPassage[from], passageBase + segment.firstPassage[end2]);
      }
      finish();
      view.sessionStart[sessions] = position;
      return sessions;
    };
    sortBySeq = (messages, seqs) => {
      const sorted = Array.from(messages, (message, place) => ({ message, seq: seqs[place] })).sort((left, right) => left.seq - right.seq);
      sorted.forEach(({ message }, place) => messages[place] = message);
    };
    segmentOf = ({ segments }, message) => {
      let low = 0;
      let high = segments.length - 1;
      while (low < high) {
        const middle = low + high + 1 >>> 1;
        if (segments[middle].messageBase <= message) low = middle;
        else high = middle - 1;
      }
      return segments[low];
    };
  }
});

// ../core/src/recall/baselines/clio.ts
var PHRASE, KEYWORD, MOST_KEYWORDS, MOST, TITLE_PHRASE, TITLE_KEYWORD, ROLE_POINTS, SHORTEST_MESSAGE, STOP_WORDS, clioScore;
var init_clio = __esm({
  "../core/src/recall/baselines/clio.ts"() {
    PHRASE = 3;
    KEYWORD = 1;
    MOST_KEYWORDS = 1.5;
    MOST = 0.7;
    TITLE_PHRASE = 2;
    TITLE_KEYWORD = 0.5;
    ROLE_POINTS = { assistant: 0.3, user: 0.2 };
    SHORTEST_MESSAGE = 11;
    STOP_WORDS = new Set(
      "a about after all also an and any are as at be been before but by can could did do does for from had has have he her him his how i if in into is it its just like may me might more my no not of on or our out she should so some such than that the their them then there these they this to too up us was we were what when where which who why will with would you your".split(
        " "
      )
    );
    clioScore = (query, messages) => {
      const phrase = query.trim().toLowerCase();
      const keywords = [...new Set((phrase.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => word.length > 1 && !STOP_WORDS.has(word)))];
      if (phrase === "") return new Float64Array(messages.length);
      return Float64Array.from(messages, ({ role, text, title = "" }) => {
        if (text.length < SHORTEST_MESSAGE) return 0;
        const content = text.toLowerCase();
        const found = keywords.filter((word) => content.includes(word)).length;
        const points = (content.includes(phrase) ? PHRASE : 0) + found * KEYWORD + (keywords.length > 1 && found >= MOST * keywords.length ? MOST_KEYWORDS : 0);
        if (points === 0) return 0;
        const name = title.toLowerCase();
        const titlePoints = name.includes(phrase) ? TITLE_PHRASE : TITLE_KEYWORD * keywords.filter((word) => name.includes(word)).length;
        return points + titlePoints + (ROLE_POINTS[role] ?? 0);
      });
    };
  }
});

// ../core/src/recall/rank/bm25.ts
var PASSAGE_BM25, FORM_BM25, WIDE_BM25, idf, idfs, saturated;
var init_bm25 = __esm({
  "../core/src/recall/rank/bm25.ts"() {
    PASSAGE_BM25 = { k1: 1.6, b: 0.4 };
    FORM_BM25 = { k1: 1.2, b: 0.5 };
    WIDE_BM25 = { k1: 1.2, b: 0.75 };
    idf = (total, holding) => Math.log(1 + (Math.max(total, holding) - holding + 0.5) / (holding + 0.5));
    idfs = (total, holding) => Float64Array.from(holding, (count) => idf(total, count));
    saturated = (count, length, { k1, b }) => count === 0 ? 0 : count * (k1 + 1) / (count + k1 * (1 - b + b * length));
  }
});

// ../core/src/recall/baselines/plain-bm25.ts
var plainBm25, wordsOf;
var init_plain_bm25 = __esm({
  "../core/src/recall/baselines/plain-bm25.ts"() {
    init_bm25();
    plainBm25 = (query, messages) => {
      const terms = new Map([...new Set(wordsOf(query))].map((word, term) => [word, term]));
      const lengths = new Float64Array(messages.length);
      const counts = messages.map(({ text }, message) => {
        const own = new Float64Array(terms.size);
        for (const word of wordsOf(text)) {
          lengths[message] = (lengths[message] ?? 0) + 1;
          const term = terms.get(word);
          if (term !== void 0) own[term] = (own[term] ?? 0) + 1;
        }
        return own;
      });
      const mean = lengths.reduce((sum, length) => sum + length, 0) / messages.length || 1;
      const worth = Float64Array.from({ length: terms.size }, (_, term) => idf(messages.length, counts.filter((own) => (own[term] ?? 0) > 0).length));
      return Float64Array.from(
        counts,
        (own, message) => own.reduce((score2, count, term) => score2 + (worth[term] ?? 0) * saturated(count, (lengths[message] ?? 0) / mean, WIDE_BM25), 0)
      );
    };
    wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  }
});

// ../core/src/recall/baselines/index.ts
var BASELINES;
var init_baselines = __esm({
  "../core/src/recall/baselines/index.ts"() {
    init_clio();
    init_plain_bm25();
    BASELINES = { bm25: plainBm25, clio: clioScore };
  }
});

// ../core/src/recall/index/touches.ts
var isPath, eachTouch, touchesOf, keepTouching;
var init_touches = __esm({
  "../core/src/recall/index/touches.ts"() {
    isPath = (wanted) => {
      const plain = wanted.replaceAll("\\", "/");
      const end2 = plain.startsWith("/") ? plain : `/${plain}`;
      return (path3) => {
        const own = path3.replaceAll("\\", "/");
        return own === plain || own.endsWith(end2);
      };
    };
    eachTouch = (segment, wanted, visit) => {
      const isWanted = wanted === void 0 ? void 0 : segment.paths.map(wanted);
      if (isWanted?.includes(true) === false) return;
      segment.touchMessage.forEach((message, index) => {
        if (isWanted === void 0 || isWanted[segment.touchPath[index]] === true) visit(message, index);
      });
    };
    touchesOf = (view, { allowed }, file) => {
      const touches = [];
      for (const { segment, passageBase } of view.segments) {
        eachTouch(segment, file === void 0 ? void 0 : isPath(file), (message, index) => {
          const passage = passageBase + segment.firstPassage[message];
          if (allowed !== void 0 && allowed[passage] === 0) return;
          touches.push({
            path: segment.paths[segment.touchPath[index]] ?? "",
            operation: segment.touchOperation[index],
            session: view.sessions[view.sessionOf[passage]],
            seq: segment.seq[message],
            at: segment.at[message]
          });
        });
      }
      return touches;
    };
    keepTouching = (view, mask, file) => {
      const touching = new Uint8Array(mask.length);
      for (const { segment, messageBase } of view.segments) eachTouch(segment, isPath(file), (message) => touching[messageBase + message] = 1);
      for (let message = 0; message < mask.length; message += 1) mask[message] = mask[message] & touching[message];
    };
  }
});

// ../core/src/recall/conditions.ts
var limitsOf, maskOf, placeOf;
var init_conditions = __esm({
  "../core/src/recall/conditions.ts"() {
    init_message_analysis();
    init_touches();
    init_view();
    limitsOf = ({ since, until }, { sessions }) => ({
      ...sessions === void 0 ? {} : { sessions },
      ...since === void 0 ? {} : { since },
      ...until === void 0 ? {} : { until }
    });
    maskOf = (view, { role, file }, { onBranch }) => {
      if (role === void 0 && file === void 0 && onBranch === void 0) return void 0;
      const mask = new Uint8Array(view.messages);
      for (const { segment, messageBase } of view.segments) {
        for (let run = 0; run < segment.runSession.length; run += 1) {
          if (onBranch?.has(segment.runSession[run] ?? 0) === false) continue;
          for (let message = segment.runStart[run] ?? 0; message < (segment.runStart[run + 1] ?? 0); message += 1) {
            if (role === void 0 || ((segment.flags[message] ?? 0) & 3) === ROLE_BITS[role]) mask[messageBase + message] = 1;
          }
        }
      }
      if (file !== void 0) keepTouching(view, mask, file);
      return mask;
    };
    placeOf = (view, message) => {
      const { segment, messageBase, passageBase } = segmentOf(view, message);
      const local = message - messageBase;
      return {
        session: view.sessions[view.sessionOf[passageBase + (segment.firstPassage[local] ?? 0)] ?? 0] ?? 0,
        seq: segment.seq[local] ?? 0,
        at: segment.at[local] ?? Number.NaN
      };
    };
  }
});

// ../core/src/recall/order.ts
var timeOf, byScore, firstOf;
var init_order = __esm({
  "../core/src/recall/order.ts"() {
    timeOf = (at) => Number.isNaN(at) ? -Infinity : at;
    byScore = (left, right) => {
      if (left.score !== right.score) return right.score - left.score;
      const [first, second] = [timeOf(left.at), timeOf(right.at)];
      return first === second ? 0 : second > first ? 1 : -1;
    };
    firstOf = (found, limit, idOf) => {
      const sorted = [...found].sort((left, right) => {
        const order = byScore(left, right);
        if (order !== 0 || idOf === void 0) return order;
        const [first, second] = [idOf(left.session), idOf(right.session)];
        return first === second ? left.seq - right.seq : first < second ? -1 : 1;
      });
      const last = sorted[limit - 1];
      if (idOf !== void 0 || last === void 0) return sorted.slice(0, limit);
      let end2 = limit;
      while (end2 < sorted.length && byScore(last, sorted[end2]) === 0) end2 += 1;
      return sorted.slice(0, end2);
    };
  }
});

// ../core/src/recall/hits.ts
var hitOf, hitsOf;
var init_hits = __esm({
  "../core/src/recall/hits.ts"() {
    init_message_text();
    init_order();
    hitOf = (sessionId, entry, score2, explanation) => ({
      sessionId,
      seq: entry.seq,
      messageId: entry.id,
      externalId: entry.id,
      at: entry.at,
      role: entry.role,
      score: score2,
      text: searchedText(entry.content),
      explanation
    });
    hitsOf = async (source, found, limit) => {
      const hits = [];
      let rest = found;
      while (hits.length < limit && rest.length > 0) {
        const near = firstOf(rest, limit - hits.length, void 0);
        const facts = await source.sessions([...new Set(near.map(({ session }) => session))]);
        const chosen = firstOf(near, limit - hits.length, (session) => facts.get(session)?.id ?? "");
        const entries = await source.messages(chosen);
        chosen.forEach(({ session, score: score2, explanation }, index) => {
          const [entry, sessionId] = [entries[index], facts.get(session)?.id];
          if (entry !== void 0 && sessionId !== void 0) hits.push(hitOf(sessionId, entry, score2, explanation()));
        });
        if (hits.length < limit) {
          const seen = new Set(chosen);
          rest = rest.filter((one) => !seen.has(one));
        }
      }
      return hits;
    };
  }
});

// ../core/src/recall/index/corpus.ts
var corpusOf;
var init_corpus = __esm({
  "../core/src/recall/index/corpus.ts"() {
    corpusOf = (view, { sessions, since, until }) => {
      if (sessions === void 0 && since === void 0 && until === void 0) {
        return { allowed: void 0, messages: view.messages, passages: view.passages, sessions: view.sessions.length, tokens: view.tokens };
      }
      const allowed = new Uint8Array(view.passages);
      const hasMessage = new Uint8Array(view.sessions.length);
      const [from, to] = [since ?? -Infinity, until ?? Infinity];
      const anyTime = since === void 0 && until === void 0;
      let [messages, passages, tokens] = [0, 0, 0];
      for (const { segment, passageBase } of view.segments) {
        for (let run = 0; run < segment.runSession.length; run += 1) {
          if (sessions?.has(segment.runSession[run]) === false) continue;
          for (let message = segment.runStart[run]; message < segment.runStart[run + 1]; message += 1) {
            const at = segment.at[message];
            if (!anyTime && !(at >= from && at < to)) continue;
            const [first, end2] = [segment.firstPassage[message], segment.firstPassage[message + 1]];
            messages += 1;
            passages += end2 - first;
            hasMessage[view.sessionOf[passageBase + first]] = 1;
            for (let passage = first; passage < end2; passage += 1) {
              allowed[passageBase + passage] = 1;
              tokens += segment.passageTokens[passage];
            }
          }
        }
      }
      return { allowed, messages, passages, sessions: hasMessage.reduce((sum, one) => sum + one, 0), tokens };
    };
  }
});

// ../core/src/recall/baseline-search.ts
var DEFAULT_HITS, baselineMessages, baselineSessions, score;
var init_baseline_search = __esm({
  "../core/src/recall/baseline-search.ts"() {
    init_message_text();
    init_baselines();
    init_conditions();
    init_hits();
    init_corpus();
    init_order();
    DEFAULT_HITS = 10;
    baselineMessages = async (source, query, ranker) => {
      const index = await source.open(query);
      const { found } = await score(source, index, query, ranker);
      return hitsOf(source, found, query.limit ?? DEFAULT_HITS);
    };
    baselineSessions = async (source, query, ranker) => {
      const index = await source.open({ workspace: query.workspace, agent: query.agent });
      const { found, known: known2 } = await score(source, index, query, ranker);
      const idOf = (session) => known2.get(session)?.id ?? "";
      const sessions = /* @__PURE__ */ new Map();
      for (const one of firstOf(found, found.length, idOf)) {
        const earlier = sessions.get(one.session);
        if (earlier === void 0) sessions.set(one.session, { best: one, hits: 1 });
        else earlier.hits += 1;
      }
      const chosen = [...sessions.values()].slice(0, query.limit ?? DEFAULT_HITS);
      const entries = await source.messages(chosen.map(({ best }) => best));
      return chosen.flatMap(({ best, hits }, place) => {
        const entry = entries[place];
        if (entry === void 0) return [];
        const explanation = best.explanation();
        return [{ sessionId: idOf(best.session), score: best.score, best: hitOf(idOf(best.session), entry, best.score, explanation), hits, explanation }];
      });
    };
    score = async (source, index, query, ranker) => {
      const { view } = index;
      const { allowed } = corpusOf(view, limitsOf(query, index));
      const wanted = maskOf(view, query, index);
      const places = view.segments.flatMap(
        ({ segment, messageBase, passageBase }) => Array.from({ length: segment.messages }, (_, message) => message).filter((message) => allowed?.[passageBase + (segment.firstPassage[message] ?? 0)] !== 0 && wanted?.[messageBase + message] !== 0).map((message) => placeOf(view, messageBase + message))
      );
      const known2 = await source.sessions([...new Set(places.map(({ session }) => session))]);
      const messages = (await source.messages(places)).flatMap((entry, index_) => {
        const place = places[index_];
        return entry === void 0 || place === void 0 ? [] : [{ place, role: entry.role, text: searchedText(entry.content), title: known2.get(place.session)?.title ?? void 0 }];
      });
      const scores = BASELINES[ranker](query.text, messages);
      const found = messages.map(({ place }, row) => {
        const value = scores[row] ?? 0;
        return { ...place, score: value, explanation: () => ({ ranker, parts: [{ name: ranker, value }], terms: [] }) };
      }).filter(({ score: value }) => value > 0);
      return { found, known: known2 };
    };
  }
});

// ../core/src/recall/file-touches.ts
var DEFAULT_TOUCHES, fileTouches;
var init_file_touches = __esm({
  "../core/src/recall/file-touches.ts"() {
    init_conditions();
    init_corpus();
    init_document();
    init_touches();
    init_order();
    DEFAULT_TOUCHES = 1e3;
    fileTouches = async (source, query) => {
      const index = await source.open({ workspace: query.workspace, sessionId: query.sessionId });
      const { limit = DEFAULT_TOUCHES } = query;
      const near = firstOf(touchesOf(index.view, corpusOf(index.view, limitsOf(query, index)), query.file).map((touch) => ({ ...touch, score: 0 })), limit, void 0);
      const facts = await source.sessions([...new Set(near.map(({ session }) => session))]);
      const known2 = near.filter(({ session }) => facts.has(session));
      return firstOf(known2, limit, (session) => facts.get(session)?.id ?? "").map(({ path: path3, operation, session, seq, at }) => ({
        path: path3,
        operation: FILE_OPERATIONS[operation] ?? "mention",
        sessionId: facts.get(session)?.id ?? "",
        seq,
        at: Number.isNaN(at) ? null : at
      }));
    };
  }
});

// ../core/src/recall/index/scratch.ts
var LARGEST_POSTINGS, MOST_ROOMS, Rooms, Scratch;
var init_scratch = __esm({
  "../core/src/recall/index/scratch.ts"() {
    init_postings();
    LARGEST_POSTINGS = 3e6;
    MOST_ROOMS = 6;
    Rooms = class {
      #make;
      #rooms = [];
      #taken = 0;
      constructor(make) {
        this.#make = make;
      }
      take(size) {
        const known2 = this.#rooms[this.#taken];
        const room = known2 !== void 0 && known2.length >= size ? known2 : this.#make(size);
        this.#rooms[this.#taken] = room;
        this.#taken += 1;
        return room.fill(0, 0, size).subarray(0, size);
      }
      free() {
        this.#taken = 0;
      }
      keep(count) {
        this.#rooms.length = Math.min(this.#rooms.length, count);
      }
    };
    Scratch = class {
      postings = new Postings(1 << 16);
      #bytes = new Rooms((size) => new Uint8Array(size));
      #floats = new Rooms((size) => new Float32Array(size));
      #integers = new Rooms((size) => new Int32Array(size));
      /** Zeros. */
      bytes(size) {
        return this.#bytes.take(size);
      }
      floats(size) {
        return this.#floats.take(size);
      }
      integers(size) {
        return this.#integers.take(size);
      }
      /** Before each query: everything is free again. */
      clear() {
        this.postings.length = 0;
        for (const rooms of [this.#bytes, this.#floats, this.#integers]) rooms.free();
      }
      /** After each query. */
      shrink() {
        if (this.postings.passage.length > LARGEST_POSTINGS) this.postings = new Postings(1 << 16);
        this.#bytes.keep(MOST_ROOMS);
      }
    };
  }
});

// ../core/src/recall/index/build-table.ts
var REACH, buildMatchTable, rowsOf, countSessions, eachPassage, sessionsWith;
var init_build_table = __esm({
  "../core/src/recall/index/build-table.ts"() {
    init_view();
    REACH = 2;
    buildMatchTable = (view, corpus, matches, positions, scratch) => {
      const { rowPositions, candidate } = rowsOf(view, corpus, positions);
      const rows = rowPositions.length;
      const messages = Uint32Array.from(rowPositions, (position) => view.atPosition[position]);
      const [session, follows] = [new Int32Array(rows), new Uint8Array(rows)];
      const [at, flags, author] = [new Float64Array(rows), new Uint16Array(rows), new Uint32Array(rows)];
      const firstPassage = new Int32Array(rows + 1);
      const numberOf = scratch.integers(view.passages);
      const tokens = [];
      const sessions = [];
      messages.forEach((message, row) => {
        const { segment, messageBase, passageBase } = segmentOf(view, message);
        const local = message - messageBase;
        const [first, end2] = [passageBase + segment.firstPassage[local], passageBase + segment.firstPassage[local + 1]];
        const own = view.sessionOf[first];
        if (sessions.at(-1) !== own) sessions.push(own);
        session[row] = sessions.length - 1;
        follows[row] = row > 0 && session[row - 1] === session[row] && rowPositions[row] === rowPositions[row - 1] + 1 ? 1 : 0;
        at[row] = segment.at[local];
        flags[row] = segment.flags[local];
        author[row] = segment.author[local] ?? 0;
        for (let passage = first; passage < end2; passage += 1) {
          tokens.push(view.passageTokens[passage]);
          numberOf[passage] = tokens.length;
        }
        firstPassage[row + 1] = tokens.length;
      });
      const columns = matches.terms.length;
      const [counts, forms] = [new Uint8Array(tokens.length * columns), new Uint8Array(tokens.length * columns)];
      matches.terms.forEach(({ start, end: end2, dense }, column) => {
        const put = (number2, value) => {
          counts[(number2 - 1) * columns + column] = value & 15;
          forms[(number2 - 1) * columns + column] = value >> 4;
        };
        const { passage, byte } = matches.postings;
        for (let index = start; index < end2; index += 1) {
          const number2 = numberOf[passage[index]];
          if (number2 !== 0) put(number2, byte[index]);
        }
        if (dense === void 0) return;
        for (const message of messages) {
          const { segment, messageBase, passageBase } = segmentOf(view, message);
          const local = message - messageBase;
          const last = passageBase + segment.firstPassage[local + 1];
          for (let passage2 = passageBase + segment.firstPassage[local]; passage2 < last; passage2 += 1) {
            if (dense[passage2] !== 0) put(numberOf[passage2], dense[passage2]);
          }
        }
      });
      const table = {
        terms: matches.terms.map(({ term }) => term),
        rows,
        candidate,
        session,
        follows,
        at,
        flags,
        author,
        firstPassage,
        passageTokens: Uint16Array.from(tokens),
        counts,
        forms,
        ...countSessions(view, corpus, matches, sessions)
      };
      return { table, messages };
    };
    rowsOf = (view, { allowed }, positions) => {
      const rowPositions = [];
      const candidate = [];
      let session = 0;
      const isAllowed = (position) => {
        if (allowed === void 0) return true;
        const message = view.atPosition[position];
        const { segment, messageBase, passageBase } = segmentOf(view, message);
        return allowed[passageBase + segment.firstPassage[message - messageBase]] === 1;
      };
      let next = 0;
      positions.forEach((position, index) => {
        while (view.sessionStart[session + 1] <= position) session += 1;
        const from = Math.max(position - REACH, view.sessionStart[session], next);
        const following = positions[index + 1] ?? Infinity;
        const to = Math.min(position + REACH, view.sessionStart[session + 1] - 1, following - 1);
        for (let place = from; place <= to; place += 1) {
          if (place !== position && !isAllowed(place)) continue;
          rowPositions.push(place);
          candidate.push(place === position ? 1 : 0);
        }
        next = to + 1;
      });
      return { rowPositions: Uint32Array.from(rowPositions), candidate: Uint8Array.from(candidate) };
    };
    countSessions = (view, corpus, { terms, postings }, sessions) => {
      const columns = terms.length;
      const rowOf = new Int32Array(view.sessions.length).fill(-1);
      sessions.forEach((session, row) => rowOf[session] = row);
      const sessionTokens = new Float64Array(sessions.length);
      const sessionCounts = new Float64Array(sessions.length * columns);
      const { sessionOf, passageTokens } = view;
      const { allowed } = corpus;
      const everywhere = terms.flatMap(({ dense }, column) => dense === void 0 ? [] : [{ dense, column }]);
      sessions.forEach((session, row) => {
        eachPassage(view, session, (passage2) => {
          if (allowed !== void 0 && allowed[passage2] === 0) return;
          sessionTokens[row] = sessionTokens[row] + passageTokens[passage2];
          for (const { dense, column } of everywhere) sessionCounts[row * columns + column] = sessionCounts[row * columns + column] + (dense[passage2] & 15);
        });
      });
      const seen = new Int32Array(view.sessions.length);
      const { passage, byte } = postings;
      const termSessions = terms.map(({ start, end: end2, dense }, column) => {
        if (dense !== void 0) return sessionsWith(view, dense);
        let holding = 0;
        for (let index = start; index < end2; index += 1) {
          const session = sessionOf[passage[index]];
          if (seen[session] !== column + 1) {
            seen[session] = column + 1;
            holding += 1;
          }
          const row = rowOf[session];
          if (row !== -1) sessionCounts[row * columns + column] = sessionCounts[row * columns + column] + (byte[index] & 15);
        }
        return holding;
      });
      return {
        corpus: {
          messages: corpus.messages,
          passages: corpus.passages,
          sessions: corpus.sessions,
          tokens: corpus.tokens,
          termPassages: terms.map(({ passages }) => passages),
          termSessions,
          termForms: terms.map(({ forms }) => forms)
        },
        sessions: sessions.length,
        sessionTokens,
        sessionCounts
      };
    };
    eachPassage = (view, session, visit) => {
      for (let position = view.sessionStart[session]; position < view.sessionStart[session + 1]; position += 1) {
        const message = view.atPosition[position];
        const { segment, messageBase, passageBase } = segmentOf(view, message);
        const end2 = passageBase + segment.firstPassage[message - messageBase + 1];
        for (let passage = passageBase + segment.firstPassage[message - messageBase]; passage < end2; passage += 1) visit(passage);
      }
    };
    sessionsWith = (view, dense) => {
      const found = new Uint8Array(view.sessions.length);
      let holding = 0;
      for (const { segment, passageBase } of view.segments) {
        for (let run = 0; run < segment.runSession.length; run += 1) {
          let passage = passageBase + segment.firstPassage[segment.runStart[run]];
          const end2 = passageBase + segment.firstPassage[segment.runStart[run + 1]];
          const session = view.sessionOf[passage];
          if (found[session] === 1) continue;
          while (passage < end2 && dense[passage] === 0) passage += 1;
          if (passage === end2) continue;
          found[session] = 1;
          holding += 1;
        }
      }
      return holding;
    };
  }
});

// ../core/src/recall/index/candidates.ts
var SATURATION, LENGTH_WEIGHT, BEFORE, AFTER, TWO_AWAY, TOOL_SHARE, LOOKED_AT, scorePassages, scoreMessages, chooseCandidates, isSaid, BUCKETS, worthALook;
var init_candidates = __esm({
  "../core/src/recall/index/candidates.ts"() {
    init_message_analysis();
    init_view();
    SATURATION = 1.6;
    LENGTH_WEIGHT = 0.4;
    BEFORE = 0.35;
    AFTER = 0.25;
    TWO_AWAY = 0.2;
    TOOL_SHARE = 0.2;
    LOOKED_AT = 20;
    scorePassages = (view, corpus, { terms, postings }, weights, scratch) => {
      const scores = scratch.floats(view.passages);
      const mean = corpus.tokens / Math.max(corpus.passages, 1) || 1;
      const norm = scratch.floats(65536);
      for (let tokens = 0; tokens < norm.length; tokens += 1) norm[tokens] = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * tokens / mean);
      const { passage, byte } = postings;
      const { passageTokens } = view;
      for (const [term, { start, end: end2, passages }] of terms.entries()) {
        const worth = (weights[term] ?? 1) * Math.log(1 + (corpus.passages - passages + 0.5) / (passages + 0.5)) * (SATURATION + 1);
        for (let index = start; index < end2; index += 1) {
          const at = passage[index];
          const count = byte[index] & 15;
          scores[at] = scores[at] + worth * count / (count + norm[passageTokens[at]]);
        }
      }
      return scores;
    };
    scoreMessages = (view, passages, scratch) => {
      const scores = scratch.floats(view.messages);
      const { position } = view;
      for (const { segment, messageBase, passageBase } of view.segments) {
        const { firstPassage, messages } = segment;
        let passage = passageBase;
        for (let message = 0; message < messages; message += 1) {
          let best = 0;
          const end2 = passageBase + firstPassage[message + 1];
          for (; passage < end2; passage += 1) {
            const score2 = passages[passage];
            if (score2 > best) best = score2;
          }
          if (best > 0) scores[position[messageBase + message]] = best;
        }
      }
      return scores;
    };
    chooseCandidates = (view, scores, wanted, most) => {
      const { matched, floor } = worthALook(view, scores, wanted, most * LOOKED_AT);
      const positions = [];
      const smoothed = [];
      let [session, end2] = [-1, 0];
      let start = 0;
      for (let position = 0; position < scores.length; position += 1) {
        const own = scores[position];
        if (own === 0 || own < floor || wanted !== void 0 && wanted[view.atPosition[position]] === 0) continue;
        while (end2 <= position) {
          session += 1;
          start = end2;
          end2 = view.sessionStart[session + 1];
        }
        let around = 0;
        if (position > start) around += BEFORE * scores[position - 1];
        if (position > start + 1) around += TWO_AWAY * scores[position - 2];
        if (position + 1 < end2) around += AFTER * scores[position + 1];
        if (position + 2 < end2) around += TWO_AWAY * scores[position + 2];
        positions.push(position);
        smoothed.push(own + around * (around > 0 && !isSaid(view, position) ? TOOL_SHARE : 1));
      }
      if (positions.length <= most) return { positions: Uint32Array.from(positions), matched };
      const cut2 = Float64Array.from(smoothed).sort()[positions.length - most];
      return { positions: Uint32Array.from(positions.filter((_, index) => smoothed[index] >= cut2)), matched };
    };
    isSaid = (view, position) => {
      const message = view.atPosition[position];
      const { segment, messageBase } = segmentOf(view, message);
      return (segment.flags[message - messageBase] >> 2 & 3) === KIND_BITS.said;
    };
    BUCKETS = 4096;
    worthALook = (view, scores, wanted, most) => {
      let [matched, highest] = [0, 0];
      for (let position = 0; position < scores.length; position += 1) {
        const own = scores[position];
        if (own === 0 || wanted !== void 0 && wanted[view.atPosition[position]] === 0) continue;
        matched += 1;
        if (own > highest) highest = own;
      }
      if (matched <= most) return { matched, floor: 0 };
      const counts = new Uint32Array(BUCKETS + 1);
      const scale = BUCKETS / highest;
      for (let position = 0; position < scores.length; position += 1) {
        const own = scores[position];
        if (own === 0 || wanted !== void 0 && wanted[view.atPosition[position]] === 0) continue;
        const bucket2 = Math.floor(own * scale);
        counts[bucket2] = counts[bucket2] + 1;
      }
      let bucket = BUCKETS;
      for (let sum = counts[bucket]; sum < most && bucket > 0; ) {
        bucket -= 1;
        sum += counts[bucket];
      }
      return { matched, floor: bucket / scale - highest * 1e-6 };
    };
  }
});

// ../core/src/recall/rank/dates.ts
var MONTHS, MONTH, DAY, YEAR, ISO, DAY_MONTH, MONTH_DAY, MONTH_YEAR, MONTH_ONLY, YEAR_ONLY, datesOf, monthOf, number, dateFit;
var init_dates = __esm({
  "../core/src/recall/rank/dates.ts"() {
    MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
    MONTH = "(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?";
    DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
    YEAR = "((?:19|20)\\d\\d)";
    ISO = /\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b/g;
    DAY_MONTH = new RegExp(`\\b${DAY}(?: of)? ${MONTH}(?:,? ${YEAR})?(?![a-z])`, "gi");
    MONTH_DAY = new RegExp(`\\b${MONTH} ${DAY}(?![\\d:])(?:,? ${YEAR})?`, "gi");
    MONTH_YEAR = new RegExp(`\\b${MONTH},?(?: of)? ${YEAR}\\b`, "gi");
    MONTH_ONLY = new RegExp(`\\b(?:in|during|last|this|since|of|late|early|mid|until|by|next|before|after) ${MONTH}(?![a-z])`, "gi");
    YEAR_ONLY = new RegExp(`\\b(?:in|during|since|of|until|by|before|after) ${YEAR}\\b`, "gi");
    datesOf = (text) => {
      const dates = [];
      let rest = text;
      const take = (pattern, part) => {
        rest = rest.replace(pattern, (...groups) => {
          dates.push(part(groups.map((group) => typeof group === "string" ? group : void 0)));
          return " | ";
        });
      };
      take(ISO, ([, year, month, day]) => ({ ...number("year", year), month: Number(month) - 1, ...number("day", day) }));
      take(DAY_MONTH, ([, day, month, year]) => ({ ...number("year", year), month: monthOf(month), ...number("day", day) }));
      take(MONTH_DAY, ([, month, day, year]) => ({ ...number("year", year), month: monthOf(month), ...number("day", day) }));
      take(MONTH_YEAR, ([, month, year]) => ({ ...number("year", year), month: monthOf(month) }));
      take(MONTH_ONLY, ([, month]) => ({ month: monthOf(month) }));
      take(YEAR_ONLY, ([, year]) => ({ ...number("year", year) }));
      return dates;
    };
    monthOf = (name = "") => MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)));
    number = (key, text) => text === void 0 ? {} : { [key]: Number(text) };
    dateFit = (at, { year, month, day }) => {
      if (Number.isNaN(at)) return 0;
      const date = new Date(at);
      if (month === void 0) return year === date.getUTCFullYear() ? 0.5 : 0;
      const months = (year === void 0 ? 0 : (date.getUTCFullYear() - year) * 12) + date.getUTCMonth() - month;
      const after = year === void 0 ? (months + 12) % 12 : months;
      if (after === 1) return day !== void 0 && day < 24 ? 0.25 : 0.5;
      if (after !== 0) return 0;
      if (day === void 0) return 1;
      const late = date.getUTCDate() - day;
      return late < 0 ? 0.3 : late <= 1 ? 2 : late <= 7 ? 1.5 : 1;
    };
  }
});

// ../core/src/recall/rank/query-facts.ts
var OF_ONESELF, TYPES, queryFacts;
var init_query_facts = __esm({
  "../core/src/recall/rank/query-facts.ts"() {
    init_author();
    init_query();
    init_dates();
    OF_ONESELF = /\b(?:my|mine|our|(?:did|do|does|have|had|was|were|am|should|can|could|will) (?:I|we)|I (?:said|told|mentioned|had|have|was|went|did|used))\b/i;
    TYPES = [
      [/\bhow (?:long|often)\b/i, "duration"],
      [/\bhow (?:many|much|old|far|big|tall)\b|\bwhat (?:number|amount|price|age)\b/i, "number"],
      [/\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b/i, "time"],
      [/\bwhere\b|\b(?:what|which) (?:city|country|place|town|state|location)\b/i, "place"],
      [/\bwho(?:m|se)?\b/i, "person"],
      [/\bwhy\b|\bwhat (?:inspired|motivated|made|caused)\b|\breasons?\b/i, "reason"]
    ];
    queryFacts = (text) => {
      const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
      return {
        text,
        words: words.length,
        asks: isQuestion(text),
        type: TYPES.find(([pattern]) => pattern.test(text))?.[1],
        firstPerson: OF_ONESELF.test(text),
        names: new Set(words.slice(0, 200).map((word) => authorHash(word))),
        dates: datesOf(text.slice(0, 2e3))
      };
    };
  }
});

// ../core/src/text-analysis/function-words.ts
var FUNCTION_WORDS, isFunctionWord;
var init_function_words = __esm({
  "../core/src/text-analysis/function-words.ts"() {
    FUNCTION_WORDS = new Set(
      "a an the and or of in on at to for with by from about as is are was were be been am do does did has have had will would can could should may might who whom whose what which when where why how that this these those it its their his her he she they them him there than then if but so not no into during after before any some all both".split(
        " "
      )
    );
    isFunctionWord = (word) => FUNCTION_WORDS.has(word);
  }
});

// ../core/src/recall/rank/term-weights.ts
var TERM_WEIGHTS, termWeights;
var init_term_weights = __esm({
  "../core/src/recall/rank/term-weights.ts"() {
    init_function_words();
    init_hash();
    TERM_WEIGHTS = { functionWord: 0.3, authorName: 0.35, joined: 0.8, part: 0.5, related: 0.25 };
    termWeights = (terms, asks, authors = [], weights = TERM_WEIGHTS) => {
      const names2 = new Set(authors);
      return Float64Array.from(terms, ({ text, kind }) => {
        if (kind === "joined") return weights.joined;
        if (kind === "part") return weights.part;
        if (kind === "related") return weights.related;
        if (names2.has(hashText(text))) return weights.authorName;
        return asks && isFunctionWord(text) ? weights.functionWord : 1;
      });
    };
  }
});

// ../core/src/recall/rank/row-facts.ts
var rowFactsOf, hasForm, relative, scoreOf, windowScores, sessionScores;
var init_row_facts = __esm({
  "../core/src/recall/rank/row-facts.ts"() {
    init_bm25();
    init_term_weights();
    rowFactsOf = (table, asks, weights = TERM_WEIGHTS) => {
      const { rows, firstPassage, corpus, counts, forms, passageTokens, terms } = table;
      const width = terms.length;
      const weight = termWeights(terms, asks, table.author, weights);
      const worth = idfs(corpus.passages, corpus.termPassages).map((value, term) => value * (weight[term] ?? 1));
      const formWorth = idfs(corpus.passages, corpus.termForms).map((value, term) => value * (weight[term] ?? 1));
      const isWord = terms.map(({ kind }) => kind === "word");
      const totalWorth = worth.reduce((sum, value, term) => sum + (isWord[term] ? value : 0), 0) || 1;
      const mean = corpus.passages === 0 ? 1 : corpus.tokens / corpus.passages || 1;
      const passage = new Float64Array(rows);
      const form = new Float64Array(rows);
      const coverage = new Float64Array(rows);
      const words = new Uint16Array(rows);
      const tokens = new Float64Array(rows);
      const rowCounts = new Float64Array(rows * width);
      for (let row = 0; row < rows; row++) {
        const start = row * width;
        for (let index = firstPassage[row] ?? 0; index < (firstPassage[row + 1] ?? 0); index++) {
          const length = passageTokens[index] ?? 0;
          tokens[row] = (tokens[row] ?? 0) + length;
          let score2 = 0;
          let formScore = 0;
          let covered = 0;
          for (let term = 0, at = index * width; term < width; term++, at++) {
            const count = counts[at] ?? 0;
            if (count === 0) continue;
            rowCounts[start + term] = (rowCounts[start + term] ?? 0) + count;
            score2 += (worth[term] ?? 0) * saturated(count, length / mean, PASSAGE_BM25);
            if (isWord[term]) covered += worth[term] ?? 0;
            if (hasForm(terms[term], forms[at] ?? 0)) formScore += (formWorth[term] ?? 0) * saturated(count, length / mean, FORM_BM25);
          }
          if (score2 > (passage[row] ?? 0)) passage[row] = score2;
          if (formScore > (form[row] ?? 0)) form[row] = formScore;
          if (covered > (coverage[row] ?? 0)) coverage[row] = covered;
        }
        coverage[row] = (coverage[row] ?? 0) / totalWorth;
        for (let term = 0; term < width; term++) if (isWord[term] && (rowCounts[start + term] ?? 0) > 0) words[row] = (words[row] ?? 0) + 1;
      }
      return {
        passage: relative(passage),
        form: relative(form),
        window: relative(windowScores(table, rowCounts, tokens, worth)),
        session: relative(sessionScores(table, weight)),
        coverage,
        words,
        tokens
      };
    };
    hasForm = (term, forms) => term !== void 0 && (term.form === 0 || (forms & term.form) !== 0);
    relative = (values) => {
      let highest = 0;
      for (const value of values) if (value > highest) highest = value;
      return highest === 0 ? values : values.map((value) => value / highest);
    };
    scoreOf = (counts, from, worth, length, options) => {
      let score2 = 0;
      for (let term = 0; term < worth.length; term++) {
        const count = counts[from + term] ?? 0;
        if (count > 0) score2 += (worth[term] ?? 0) * saturated(count, length, options);
      }
      return score2;
    };
    windowScores = (table, rowCounts, tokens, worth) => {
      const { rows, follows, corpus } = table;
      const width = worth.length;
      const mean = corpus.messages === 0 ? 1 : 5 * corpus.tokens / corpus.messages || 1;
      const counts = new Float64Array(width);
      return Float64Array.from({ length: rows }, (_, row) => {
        const first = follows[row] !== 1 ? row : follows[row - 1] !== 1 ? row - 1 : row - 2;
        const last = follows[row + 1] !== 1 ? row : follows[row + 2] !== 1 ? row + 1 : row + 2;
        let length = 0;
        counts.fill(0);
        for (let near = first; near <= last; near++) {
          length += tokens[near] ?? 0;
          for (let term = 0; term < width; term++) counts[term] = (counts[term] ?? 0) + (rowCounts[near * width + term] ?? 0);
        }
        return scoreOf(counts, 0, worth, length / mean, WIDE_BM25);
      });
    };
    sessionScores = (table, weight) => {
      const { corpus, sessionCounts, sessionTokens } = table;
      const worth = idfs(corpus.sessions, corpus.termSessions).map((value, term) => value * (weight[term] ?? 1));
      const mean = corpus.sessions === 0 ? 1 : corpus.tokens / corpus.sessions || 1;
      const scores = Float64Array.from({ length: table.sessions }, (_, session) => scoreOf(sessionCounts, session * worth.length, worth, (sessionTokens[session] ?? 0) / mean, WIDE_BM25));
      return Float64Array.from(table.session, (session) => scores[session] ?? 0);
    };
  }
});

// ../core/src/recall/rank/spread.ts
var UNTOUCHED, NEAR, SHARE, LOOKED_AT2, PLACED, spreadLosses;
var init_spread = __esm({
  "../core/src/recall/rank/spread.ts"() {
    UNTOUCHED = 4;
    NEAR = 3;
    SHARE = 0.05;
    LOOKED_AT2 = 200;
    PLACED = 60;
    spreadLosses = ({ session, rows }, scores) => {
      const losses = new Float64Array(rows);
      const left = [...scores.keys()].filter((row) => (scores[row] ?? 0) > 0).sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0)).slice(0, LOOKED_AT2);
      const valueOf = (row) => (scores[row] ?? 0) + (losses[row] ?? 0);
      for (let place = 0; place < PLACED && left.length > 0; place++) {
        let best = 0;
        if (place >= UNTOUCHED) left.forEach((row, index) => best = valueOf(row) > valueOf(left[best] ?? 0) ? index : best);
        const [placed = 0] = left.splice(best, 1);
        left.forEach((row, index) => {
          const isNear = session[row] === session[placed] && Math.abs(row - placed) <= NEAR;
          if (isNear && (place >= UNTOUCHED || index >= UNTOUCHED - 1 - place)) losses[row] = (losses[row] ?? 0) - SHARE * valueOf(row);
        });
      }
      return losses;
    };
  }
});

// ../core/src/recall/rank/weights.ts
var MESSAGE_WEIGHTS, SESSION_WEIGHTS;
var init_weights = __esm({
  "../core/src/recall/rank/weights.ts"() {
    MESSAGE_WEIGHTS = {
      former: 0.15,
      former2: 0.3,
      after: 0.6,
      window: 1.2,
      session: 0.3,
      form: 0.35,
      coverage: 0.1,
      toolCoverage: 0.5,
      edit: 0.2,
      answers: 0.7,
      toolPassage: 2.5,
      toolNeighbours: 0.2,
      toolWindow: 0.15,
      author: 0.6,
      type: 0.1,
      short: 0.2,
      asks: 0.2,
      length: 0.3,
      firstPerson: 0,
      user: 1,
      userAnyway: 0.33,
      date: 3.5,
      dateBase: 0.3,
      dateScore: 0.4
    };
    SESSION_WEIGHTS = { edited: 1, named: 0.2, branch: 0.6, mainBranch: 0.1, best: 0.4, user: 0.1, said: 0.1, files: 100, fileExponent: 1.5 };
  }
});

// ../core/src/recall/rank/rank-messages.ts
var rankMessages, weigh, MOST_WORDS_THAT_ALL_COUNT, foundRows, TYPE_TRAITS, scoreRow;
var init_rank_messages = __esm({
  "../core/src/recall/rank/rank-messages.ts"() {
    init_message_analysis();
    init_traits();
    init_dates();
    init_row_facts();
    init_spread();
    init_weights();
    rankMessages = (table, query, weights = MESSAGE_WEIGHTS) => weigh(table, rowFactsOf(table, query.asks), query, weights);
    weigh = (table, facts, query, weights) => {
      const isFound = foundRows(table, facts, query);
      const namesAuthor = query.names.size > 0 && table.author.some((author) => query.names.has(author));
      const scores = new Float64Array(table.rows);
      let row = 0;
      const add = (_, value) => {
        scores[row] = (scores[row] ?? 0) + value;
      };
      for (; row < table.rows; row++) if (isFound(row)) scoreRow(table, facts, query, weights, namesAuthor, row, add);
      const losses = query.asks ? spreadLosses(table, scores) : new Float64Array(table.rows);
      losses.forEach((loss, index) => {
        scores[index] = (scores[index] ?? 0) + loss;
      });
      return {
        scores,
        explain: (wanted) => {
          const parts = [];
          if (isFound(wanted)) {
            scoreRow(table, facts, query, weights, namesAuthor, wanted, (name, value) => {
              if (value !== 0) parts.push({ name, value });
            });
            const loss = losses[wanted] ?? 0;
            if (loss !== 0) parts.push({ name: "beside a better one", value: loss });
          }
          return parts;
        }
      };
    };
    MOST_WORDS_THAT_ALL_COUNT = 2;
    foundRows = (table, { words }, { asks }) => {
      const wanted = table.terms.filter(({ kind }) => kind === "word").length;
      if (asks && wanted > MOST_WORDS_THAT_ALL_COUNT) return () => true;
      const allCount = wanted > 0 && wanted <= MOST_WORDS_THAT_ALL_COUNT && words.includes(wanted);
      return (row) => table.candidate[row] === 1 && (!allCount || words[row] === wanted);
    };
    TYPE_TRAITS = {
      time: TRAITS.time | TRAITS.number,
      duration: TRAITS.duration,
      number: TRAITS.number,
      person: TRAITS.name,
      place: TRAITS.name,
      reason: TRAITS.reason
    };
    scoreRow = (table, facts, query, weights, namesAuthor, row, add) => {
      const flags = table.flags[row] ?? 0;
      const isTool = (flags >> 2 & 3) !== KIND_BITS.said;
      const { follows } = table;
      const passages = facts.passage;
      const hasFormer = follows[row] === 1;
      const hasNext = follows[row + 1] === 1;
      const former = hasFormer ? passages[row - 1] ?? 0 : 0;
      const next = hasNext ? passages[row + 1] ?? 0 : 0;
      const former2 = hasFormer && follows[row - 1] === 1 ? passages[row - 2] ?? 0 : 0;
      const next2 = hasNext && follows[row + 2] === 1 ? passages[row + 2] ?? 0 : 0;
      const near = weights.former * (former + weights.after * next) + weights.former2 * (former2 + weights.after * next2);
      const answers = !isTool && hasFormer && ((table.flags[row - 1] ?? 0) & MESSAGE_BITS.asks) !== 0;
      const passagePart = (passages[row] ?? 0) * (isTool ? weights.toolPassage : 1);
      const nearPart = near * (isTool ? weights.toolNeighbours : 1);
      const windowPart = (facts.window[row] ?? 0) * (isTool ? weights.toolWindow : weights.window);
      const sessionPart = weights.session * (facts.session[row] ?? 0);
      const formPart = weights.form * (facts.form[row] ?? 0);
      const coveragePart = (isTool ? weights.toolCoverage : weights.coverage) * (facts.coverage[row] ?? 0) ** 2;
      const answerPart = answers ? weights.answers * former : 0;
      const base = passagePart + nearPart + windowPart + sessionPart + formPart + coveragePart + answerPart;
      if (base === 0) return;
      const traits = flags >> FIRST_TRAIT_BIT;
      let factor = 0;
      if (query.names.has(table.author[row] ?? 0)) factor += weights.author;
      if (query.type !== void 0 && (traits & TYPE_TRAITS[query.type]) !== 0) factor += weights.type;
      if (!isTool && (flags & MESSAGE_BITS.asks) !== 0) factor -= (flags & MESSAGE_BITS.short) !== 0 ? weights.short : weights.asks;
      if (!isTool && query.asks) factor += weights.length * Math.min(1, Math.log2(1 + (facts.tokens[row] ?? 0) / 10) / 3);
      if ((traits & TRAITS.firstPerson) !== 0 && !isTool) factor += weights.firstPerson;
      if ((flags >> 2 & 3) === KIND_BITS.edit) factor += weights.edit;
      if (!namesAuthor && (flags & 3) === ROLE_BITS.user) factor += weights.user * (query.firstPerson ? 1 : weights.userAnyway);
      add("passage", passagePart);
      add("neighbours", nearPart);
      add("window", windowPart);
      add("session", sessionPart);
      add("form", formPart);
      add("coverage", coveragePart);
      add("answers", answerPart);
      add("fits the question", base * factor);
      if (query.dates.length > 0) {
        let fit = 0;
        for (const date of query.dates) fit = Math.max(fit, dateFit(table.at[row] ?? NaN, date));
        add("date", fit * weights.date * (weights.dateBase + weights.dateScore * base));
      }
    };
  }
});

// ../core/src/recall/message-search.ts
var DEFAULT_HITS2, rankedMessages, searchMessages, explanationOf;
var init_message_search = __esm({
  "../core/src/recall/message-search.ts"() {
    init_query();
    init_conditions();
    init_hits();
    init_build_table();
    init_candidates();
    init_corpus();
    init_term_matches();
    init_query_facts();
    init_rank_messages();
    init_term_weights();
    DEFAULT_HITS2 = 10;
    rankedMessages = async ({ scratch, candidates }, index, terms, query, limit) => {
      const { view } = index;
      const facts = queryFacts(query.text);
      const corpus = corpusOf(view, limitsOf(query, index));
      const matches = await matchTerms(view, corpus, terms, index.read, scratch);
      const weights = termWeights(matches.terms.map(({ term }) => term), facts.asks);
      const rough = scoreMessages(view, scorePassages(view, corpus, matches, weights, scratch), scratch);
      const wanted = maskOf(view, query, index);
      const { positions } = chooseCandidates(view, rough, wanted, Math.max(candidates, limit));
      const built = buildMatchTable(view, corpus, matches, positions, scratch);
      return { ...built, facts, corpus, matches, rough, wanted, ranking: rankMessages(built.table, facts) };
    };
    searchMessages = async (resources, query) => {
      const { limit = DEFAULT_HITS2 } = query;
      const terms = analyseQuery(query.text);
      if (terms.length === 0 || limit <= 0) return [];
      const index = await resources.source.open(query);
      const ranked = await rankedMessages(resources, index, terms, query, limit);
      const found = [];
      ranked.messages.forEach((message, row) => {
        const score2 = ranked.ranking.scores[row] ?? 0;
        if (score2 <= 0 || ranked.wanted?.[message] === 0) return;
        found.push({ ...placeOf(index.view, message), score: score2, explanation: () => explanationOf(ranked, row) });
      });
      return hitsOf(resources.source, found, limit);
    };
    explanationOf = ({ table, ranking }, row) => {
      const width = table.terms.length;
      return {
        ranker: "cairn",
        parts: ranking.explain(row),
        terms: table.terms.map(({ text }, term) => {
          let holds = false;
          for (let passage = table.firstPassage[row] ?? 0; passage < (table.firstPassage[row + 1] ?? 0); passage += 1) holds ||= table.counts[passage * width + term] !== 0;
          return { text, found: holds };
        })
      };
    };
  }
});

// ../core/src/recall/rank/session-table.ts
var BEST_OF_SESSION, BEST_OF_FILE;
var init_session_table = __esm({
  "../core/src/recall/rank/session-table.ts"() {
    BEST_OF_SESSION = 5;
    BEST_OF_FILE = 3;
  }
});

// ../core/src/recall/index/build-session-table.ts
var USER, SAID, EDIT, buildSessionTable, keepRanked, keepBest, rowsOf2, countFields, filesOf;
var init_build_session_table = __esm({
  "../core/src/recall/index/build-session-table.ts"() {
    init_message_analysis();
    init_session_table();
    init_document();
    init_view();
    USER = 1;
    SAID = 2;
    EDIT = FILE_OPERATIONS.indexOf("edit");
    buildSessionTable = (view, corpus, matches, scores, ranked) => {
      const { rowOf, sessions, at } = rowsOf2(view, corpus);
      const counted = countFields(view, corpus, matches, rowOf, sessions.length);
      const best = new Float32Array(sessions.length * BEST_OF_SESSION);
      const hits = new Uint32Array(sessions.length);
      for (const { segment, messageBase, passageBase } of view.segments) {
        for (let message = 0; message < segment.messages; message += 1) {
          const score2 = scores[view.position[messageBase + message]];
          if (score2 === 0) continue;
          const row = rowOf[view.sessionOf[passageBase + segment.firstPassage[message]]];
          if (row === -1) continue;
          hits[row] = hits[row] + 1;
        }
      }
      const bestRow = keepRanked(view, rowOf, ranked, best);
      const table = { terms: matches.terms.map(({ term }) => term), sessions: sessions.length, at, fields: counted, best, files: filesOf(view, corpus, rowOf, scores) };
      return { table, sessions: Uint32Array.from(sessions, (session) => view.sessions[session]), bestRow, hits };
    };
    keepRanked = (view, rowOf, { messages, ranking }, best) => {
      const bestRow = new Int32Array(best.length / BEST_OF_SESSION).fill(-1);
      const highest = new Float64Array(bestRow.length);
      messages.forEach((message, place) => {
        const score2 = ranking.scores[place] ?? 0;
        const { segment, messageBase, passageBase } = segmentOf(view, message);
        const row = rowOf[view.sessionOf[passageBase + segment.firstPassage[message - messageBase]]];
        if (score2 <= 0 || row === -1) return;
        if (score2 > highest[row]) {
          highest[row] = score2;
          bestRow[row] = place;
        }
        keepBest(best, row * BEST_OF_SESSION, BEST_OF_SESSION, score2);
      });
      return bestRow;
    };
    keepBest = (best, from, size, score2) => {
      let place = from + size - 1;
      if (score2 <= best[place]) return;
      for (; place > from && best[place - 1] < score2; place -= 1) best[place] = best[place - 1];
      best[place] = score2;
    };
    rowsOf2 = (view, { allowed }) => {
      const last = new Float64Array(view.sessions.length).fill(-Infinity);
      const present = new Uint8Array(view.sessions.length);
      for (const { segment, passageBase } of view.segments) {
        for (let message = 0; message < segment.messages; message += 1) {
          const passage = passageBase + segment.firstPassage[message];
          if (allowed !== void 0 && allowed[passage] === 0) continue;
          const session = view.sessionOf[passage];
          const at = segment.at[message];
          present[session] = 1;
          if (at > last[session]) last[session] = at;
        }
      }
      const rowOf = new Int32Array(view.sessions.length).fill(-1);
      const sessions = [];
      present.forEach((one, session) => {
        if (one === 1) rowOf[session] = sessions.push(session) - 1;
      });
      return { rowOf, sessions, at: Float64Array.from(sessions, (session) => last[session] === -Infinity ? Number.NaN : last[session]) };
    };
    countFields = (view, { allowed }, { terms, postings }, rowOf, rows) => {
      const columns = terms.length;
      const field = () => ({ counts: new Float32Array(rows * columns), tokens: new Float64Array(rows), termSessions: new Uint32Array(columns) });
      const [all, user, said] = [field(), field(), field()];
      const parts = new Uint8Array(view.passages);
      for (const { segment, passageBase } of view.segments) {
        for (let message = 0; message < segment.messages; message += 1) {
          const flags = segment.flags[message];
          const kind = flags >> 2 & 3;
          const part = ((flags & 3) === ROLE_BITS.user && kind === KIND_BITS.said ? USER : 0) | (kind === KIND_BITS.result ? 0 : SAID);
          for (let passage = passageBase + segment.firstPassage[message]; passage < passageBase + segment.firstPassage[message + 1]; passage += 1) {
            parts[passage] = part;
            if (allowed !== void 0 && allowed[passage] === 0) continue;
            const row = rowOf[view.sessionOf[passage]];
            const tokens = view.passageTokens[passage];
            all.tokens[row] = all.tokens[row] + tokens;
            if ((part & USER) !== 0) user.tokens[row] = user.tokens[row] + tokens;
            if ((part & SAID) !== 0) said.tokens[row] = said.tokens[row] + tokens;
          }
        }
      }
      terms.forEach(({ start, end: end2, dense }, column) => {
        const add = (to, cell, times) => {
          if (to.counts[cell] === 0) to.termSessions[column] = to.termSessions[column] + 1;
          to.counts[cell] = to.counts[cell] + times;
        };
        const count = (passage, times) => {
          const cell = rowOf[view.sessionOf[passage]] * columns + column;
          const part = parts[passage];
          add(all, cell, times);
          if ((part & USER) !== 0) add(user, cell, times);
          if ((part & SAID) !== 0) add(said, cell, times);
        };
        for (let index = start; index < end2; index += 1) count(postings.passage[index], postings.byte[index] & 15);
        if (dense !== void 0) {
          for (let passage = 0; passage < dense.length; passage += 1) if (dense[passage] !== 0) count(passage, dense[passage] & 15);
        }
      });
      const fields = { all, user, said };
      return fields;
    };
    filesOf = (view, { allowed }, rowOf, scores) => {
      const files = /* @__PURE__ */ new Map();
      for (const { segment, messageBase, passageBase } of view.segments) {
        segment.touchMessage.forEach((message, index) => {
          const passage = passageBase + segment.firstPassage[message];
          if (allowed !== void 0 && allowed[passage] === 0) return;
          const path3 = segment.paths[segment.touchPath[index]] ?? "";
          let file = files.get(path3);
          if (file === void 0) files.set(path3, file = { edited: /* @__PURE__ */ new Set(), touched: /* @__PURE__ */ new Set(), best: new Float32Array(BEST_OF_FILE) });
          const row = rowOf[view.sessionOf[passage]];
          file.touched.add(row);
          if (segment.touchOperation[index] !== EDIT) return;
          file.edited.add(row);
          keepBest(file.best, 0, BEST_OF_FILE, scores[view.position[messageBase + message]]);
        });
      }
      return [...files].sort(([left], [right]) => left < right ? -1 : 1).map(([path3, { edited, touched, best }]) => ({ path: path3, editedBy: Int32Array.from(edited).sort(), touchedBy: Int32Array.from(touched).sort(), editScores: best.filter((score2) => score2 > 0) }));
    };
  }
});

// ../core/src/recall/rank/file-scores.ts
var PATH_WORDS, NAMED, OF_BRANCH, isMain, fileScores, branchSessions, shareOf, names, pathWorth;
var init_file_scores = __esm({
  "../core/src/recall/rank/file-scores.ts"() {
    init_characters();
    init_words();
    init_bm25();
    PATH_WORDS = 0.5;
    NAMED = 15;
    OF_BRANCH = 0.5;
    isMain = (branch) => /^(?:main|master|trunk|develop)$/.test(branch);
    fileScores = (table, request) => {
      const worth = new Map(table.terms.map(({ hash: hash3 }, term) => [hash3, idf(table.sessions, table.fields.all.termSessions[term] ?? 0)]));
      const text = folded(request.text);
      const found = table.files.map((file) => {
        const edits = file.editScores.reduce((sum, score2, place) => sum + score2 / 2 ** place, 0);
        const isNamed = names(text, file.path);
        return { file, isNamed, score: edits + PATH_WORDS * pathWorth(file.path, worth) + (isNamed ? NAMED : 0) };
      });
      const highest = found.reduce((most, { score: score2 }) => Math.max(most, score2), 0) || 1;
      const onBranch = branchSessions(table, request.branch);
      return found.map(({ score: score2, file, ...rest }) => ({ ...rest, file, score: score2 + OF_BRANCH * highest * shareOf(file, onBranch) })).filter(({ score: score2 }) => score2 > 0).sort((left, right) => right.score - left.score);
    };
    branchSessions = (table, branch) => new Set(branch === void 0 || isMain(branch) ? [] : table.branch.flatMap((name, session) => name === branch ? [session] : []));
    shareOf = ({ editedBy }, sessions) => sessions.size === 0 ? 0 : editedBy.filter((session) => sessions.has(session)).length / sessions.size;
    names = (text, path3) => {
      const name = folded(path3.slice(path3.lastIndexOf("/") + 1));
      return name.length > 3 && name.includes(".") && text.includes(name);
    };
    pathWorth = (path3, worth) => {
      const seen = /* @__PURE__ */ new Set();
      for (const raw5 of path3.match(/[\p{L}\p{N}_]+/gu) ?? []) for (const { hash: hash3 } of wordOf(raw5).terms) if (worth.has(hash3)) seen.add(hash3);
      return [...seen].reduce((sum, hash3) => sum + (worth.get(hash3) ?? 0), 0);
    };
  }
});

// ../core/src/recall/rank/rank-sessions.ts
var rankSessions, fileParts, bestScores, scaled, fieldScores;
var init_rank_sessions = __esm({
  "../core/src/recall/rank/rank-sessions.ts"() {
    init_bm25();
    init_file_scores();
    init_session_table();
    init_term_weights();
    init_weights();
    rankSessions = (table, query, weights = SESSION_WEIGHTS) => {
      const terms = termWeights(table.terms, query.asks);
      const { edited, named } = fileParts(table, query, weights);
      const parts = [
        ["edited files", scaled(edited, weights.edited)],
        ["named files", scaled(named, weights.named)],
        ["same branch", Float64Array.from(table.branch, (name) => name === null || name !== query.branch ? 0 : isMain(name) ? weights.mainBranch : weights.branch)],
        ["best messages", scaled(bestScores(table), weights.best)],
        ["what users said", scaled(fieldScores(table, table.fields.user, terms), weights.user)],
        ["all but results", scaled(fieldScores(table, table.fields.said, terms), weights.said)]
      ];
      return {
        scores: Float64Array.from({ length: table.sessions }, (_, session) => parts.reduce((sum, [, values]) => sum + (values[session] ?? 0), 0)),
        explain: (session) => parts.map(([name, values]) => ({ name, value: values[session] ?? 0 })).filter(({ value }) => value !== 0)
      };
    };
    fileParts = (table, query, weights) => {
      const edited = new Float64Array(table.sessions);
      const named = new Float64Array(table.sessions);
      const files = fileScores(table, query).slice(0, weights.files);
      const highest = files[0]?.score ?? 1;
      for (const { file, score: score2, isNamed } of files) {
        const share = (score2 / highest) ** weights.fileExponent;
        const rarity = Math.log((table.sessions + 1) / (file.editedBy.length + 0.5));
        for (const session of file.editedBy) edited[session] = (edited[session] ?? 0) + share * rarity;
        if (isNamed) for (const session of file.touchedBy) named[session] = (named[session] ?? 0) + idf(table.sessions, file.touchedBy.length);
      }
      return { edited, named };
    };
    bestScores = ({ sessions, best }) => Float64Array.from(
      { length: sessions },
      (_, session) => best.subarray(session * BEST_OF_SESSION, (session + 1) * BEST_OF_SESSION).reduce((sum, score2, place) => sum + score2 / (place + 1), 0)
    );
    scaled = (values, weight) => {
      const highest = values.reduce((most, value) => Math.max(most, value), 0);
      return highest === 0 ? values : values.map((value) => weight * value / highest);
    };
    fieldScores = (table, field, weights) => {
      const worth = idfs(table.sessions, field.termSessions).map((value, term) => value * (weights[term] ?? 1));
      const mean = field.tokens.reduce((sum, value) => sum + value, 0) / table.sessions || 1;
      return Float64Array.from({ length: table.sessions }, (_, session) => {
        const length = (field.tokens[session] ?? 0) / mean;
        let score2 = 0;
        for (let term = 0; term < worth.length; term++) {
          const count = field.counts[session * worth.length + term] ?? 0;
          if (count > 0) score2 += (worth[term] ?? 0) * saturated(count, length, WIDE_BM25);
        }
        return score2;
      });
    };
  }
});

// ../core/src/recall/session-search.ts
var searchSessions;
var init_session_search = __esm({
  "../core/src/recall/session-search.ts"() {
    init_query();
    init_conditions();
    init_hits();
    init_build_session_table();
    init_touches();
    init_message_search();
    init_order();
    init_rank_sessions();
    searchSessions = async (resources, query) => {
      const { source } = resources;
      const { limit = DEFAULT_HITS2, branch, workspace, agent, ...conditions } = query;
      const terms = analyseQuery(query.text);
      if (terms.length === 0 && branch === void 0 || limit <= 0) return [];
      const index = await source.open({ workspace, agent });
      const { view } = index;
      const ranked = await rankedMessages(resources, index, terms, { text: query.text, ...query.since === void 0 ? {} : { since: query.since }, ...query.until === void 0 ? {} : { until: query.until } }, limit);
      const built = buildSessionTable(view, ranked.corpus, ranked.matches, ranked.rough, ranked);
      const table = { ...built.table, branch: await source.branches(built.sessions) };
      const ranking = rankSessions(table, { ...ranked.facts, branch });
      const touching = conditions.file === void 0 ? void 0 : new Set(touchesOf(view, ranked.corpus, conditions.file).map(({ session }) => session));
      const found = [];
      ranking.scores.forEach((score2, row) => {
        const session = built.sessions[row] ?? 0;
        if (score2 > 0 && touching?.has(session) !== false) found.push({ session, row, seq: 0, at: table.at[row] ?? Number.NaN, score: score2 });
      });
      const near = firstOf(found, limit, void 0);
      const known2 = await source.sessions(near.map(({ session }) => session));
      const idOf = (session) => known2.get(session)?.id ?? "";
      const chosen = firstOf(near.filter(({ session }) => known2.has(session)), limit, idOf);
      const bestRow = (row) => built.bestRow[row] ?? -1;
      const withBest = chosen.filter(({ row }) => bestRow(row) !== -1);
      const entries = await source.messages(withBest.map(({ row }) => placeOf(view, ranked.messages[bestRow(row)] ?? 0)));
      const best = new Map(
        withBest.flatMap(({ session, row }, place) => {
          const entry = entries[place];
          return entry === void 0 ? [] : [[session, hitOf(idOf(session), entry, ranked.ranking.scores[bestRow(row)] ?? 0, explanationOf(ranked, bestRow(row)))]];
        })
      );
      return chosen.map(({ session, row, score: score2 }) => ({
        sessionId: idOf(session),
        score: score2,
        best: best.get(session),
        hits: built.hits[row] ?? 0,
        explanation: {
          ranker: "cairn",
          parts: ranking.explain(row),
          terms: table.terms.map(({ text }, term) => ({ text, found: table.fields.all.counts[row * table.terms.length + term] !== 0 }))
        }
      }));
    };
  }
});

// ../core/src/recall/search.ts
var CANDIDATES, ATTEMPTS, createSearch;
var init_search = __esm({
  "../core/src/recall/search.ts"() {
    init_errors();
    init_baseline_search();
    init_file_touches();
    init_scratch();
    init_term_matches();
    init_message_search();
    init_session_search();
    CANDIDATES = 1e3;
    ATTEMPTS = 5;
    createSearch = (source, { candidates = CANDIDATES } = {}) => {
      const scratch = new Scratch();
      let turn = Promise.resolve();
      const inTurn = (work) => {
        const result = turn.then(async () => {
          for (let attempt = 1; ; attempt += 1) {
            try {
              return await work();
            } catch (error) {
              if (!(error instanceof SegmentGone)) throw error;
              if (attempt === ATTEMPTS) throw new StorageError("storage-corrupt", "The search index lacks parts of itself; what was said is safe. cairn doctor --rebuild makes the index anew.", { cause: error });
            } finally {
              scratch.shrink();
            }
          }
        });
        turn = result.catch(() => void 0);
        return result;
      };
      const resources = { source, scratch, candidates };
      return {
        search: (query) => inTurn(() => query.ranker === void 0 || query.ranker === "cairn" ? searchMessages(resources, query) : baselineMessages(source, query, query.ranker)),
        sessions: (query) => inTurn(() => query.ranker === void 0 || query.ranker === "cairn" ? searchSessions(resources, query) : baselineSessions(source, query, query.ranker)),
        touches: (query) => inTurn(() => fileTouches(source, query))
      };
    };
  }
});

// ../core/src/memory/same-words.ts
var BEFORE2, AFTER2, PUNCTUATION_ONLY, QUOTES, wordsInOrder, sameWords;
var init_same_words = __esm({
  "../core/src/memory/same-words.ts"() {
    BEFORE2 = /^["'`([{«¿¡]+/;
    AFTER2 = /(?:\(\)|["'`)\]}».,;:!?])+$/;
    PUNCTUATION_ONLY = /^["'`()[\]{}«»¿¡.,;:!?\-–—•]+$/;
    QUOTES = /[‘’‚‛“”„‟]/g;
    wordsInOrder = (text) => text.normalize("NFKC").replace(QUOTES, "'").toLowerCase().split(/\s+/).filter((word) => word !== "" && !PUNCTUATION_ONLY.test(word)).map((word) => word.replace(BEFORE2, "").replace(AFTER2, "") || word);
    sameWords = (text) => wordsInOrder(text).join(" ") || text.trim();
  }
});

// ../core/src/index.ts
var init_src = __esm({
  "../core/src/index.ts"() {
    init_errors();
    init_result();
    init_usage_storage();
    init_calendar();
    init_merge_reports();
    init_totals();
    init_analyse_entry();
    init_build();
    init_document();
    init_merge();
    init_segment();
    init_term_matches();
    init_view();
    init_search();
    init_same_words();
  }
});

// src/sql/schema.ts
var dimensionColumns, sumColumns, tables, quoted;
var init_schema = __esm({
  "src/sql/schema.ts"() {
    dimensionColumns = { workspace_id: "int", model_id: "int", mode_id: "int", agent_id: "int", branch_id: "int" };
    sumColumns = {
      requests: "int",
      input_tokens: "bigint",
      cache_read: "bigint",
      cache_write_5m: "bigint",
      cache_write_1h: "bigint",
      output_tokens: "bigint",
      reasoning_tokens: "bigint",
      cost_nano: "bigint",
      recorded_nano: "bigint",
      cost_cache_read_nano: "bigint",
      cost_cache_write_nano: "bigint",
      cost_output_nano: "bigint",
      saved_nano: "bigint",
      unpriced: "int",
      partial: "int",
      missing_output: "bigint"
    };
    tables = {
      workspace: { name: "workspace", columns: { id: "int", path: "text", name: "text" } },
      label: { name: "label", columns: { id: "int", kind: "int", value: "text" } },
      session: {
        name: "session",
        columns: {
          id: "int",
          key: "text",
          agent_id: "int",
          external_id: "text",
          workspace_id: "int",
          branch_id: "int",
          title: "text",
          titled: "int",
          forked_from: "text",
          started_at: "bigint",
          updated_at: "bigint",
          next_seq: "int",
          message_count: "int",
          favourite: "int",
          redactions: "int",
          requests: "int",
          cost_nano: "bigint",
          unpriced: "int"
        }
      },
      deletedSession: { name: "deleted_session", columns: { key: "text", deleted_at: "bigint" } },
      entry: {
        name: "entry",
        columns: {
          id: "int",
          session_id: "int",
          seq: "int",
          at: "bigint",
          kind: "int",
          role: "int",
          external_id: "text",
          pack_id: "int",
          offset: "int",
          length: "int",
          body: "bytes"
        }
      },
      pack: { name: "pack", columns: { id: "int", session_id: "int", raw_size: "int", refs: "bytes", data: "bytes" } },
      block: { name: "block", columns: { id: "int", hash: "bytes", pack_id: "int", offset: "int", length: "int", said: "int" } },
      blockUse: { name: "block_use", columns: { block_id: "int", session_id: "int" } },
      usage: {
        name: "usage_fact",
        columns: {
          id: "int",
          call_hash: "bytes",
          session_id: "int",
          at: "bigint",
          workspace_id: "int",
          model_id: "int",
          provider_id: "int",
          mode_id: "int",
          agent_id: "int",
          branch_id: "int",
          subagent_id: "int",
          input_tokens: "int",
          cache_read: "int",
          cache_write_5m: "int",
          cache_write_1h: "int",
          output_tokens: "int",
          reasoning_tokens: "int",
          cost_nano: "bigint",
          cost_state: "int",
          cost_cache_read: "bigint",
          cost_cache_write: "bigint",
          cost_output: "bigint",
          saved_nano: "bigint",
          visible_chars: "int"
        }
      },
      usageQuarter: { name: "usage_quarter", columns: { bucket: "int", session_id: "int", ...dimensionColumns, ...sumColumns } },
      usageDay: { name: "usage_day", columns: { day: "int", session_id: "int", ...dimensionColumns, ...sumColumns } },
      usageMargin: { name: "usage_margin", columns: { dimension: "int", day: "int", value_id: "int", shard: "int", ...sumColumns } },
      usageTotal: { name: "usage_total", columns: { bucket: "int", shard: "int", ...sumColumns } },
      importedFile: {
        name: "imported_file",
        columns: {
          id: "int",
          path: "text",
          agent: "text",
          version: "int",
          identity: "text",
          size: "bigint",
          modified_at: "bigint",
          offset: "bigint",
          line: "int",
          fingerprint: "text",
          parser_state: "bytes"
        }
      },
      sourceRun: {
        name: "source_run",
        columns: { id: "int", file_id: "int", session_id: "int", first_line: "int", line_count: "int", pack_id: "int", offset: "int", length: "int", bytes: "int" }
      },
      noteVersion: {
        name: "note_version",
        columns: { id: "int", workspace: "text", key: "text", text: "text", session_id: "text", created_at: "bigint", valid_from: "bigint", valid_to: "bigint" }
      },
      memoryVersion: {
        name: "memory_version",
        columns: {
          id: "int",
          entry_id: "text",
          workspace: "text",
          kind: "text",
          text: "text",
          confidence: "real",
          examples: "text",
          session_id: "text",
          message_id: "text",
          first_seen_at: "bigint",
          last_confirmed_at: "bigint",
          applications: "int",
          valid_from: "bigint",
          valid_to: "bigint",
          confirmations: "int",
          contradictions: "int",
          commit: "text",
          source: "text",
          ended: "text",
          replaced_by: "text",
          words: "text"
        }
      },
      searchTail: { name: "search_tail", columns: { entry_id: "int", session_id: "int", seq: "int", workspace_id: "int", data: "bytes" } },
      searchSegment: { name: "search_segment", columns: { id: "int", workspace_id: "int", level: "int", messages: "int", bytes: "int", head: "bytes" } },
      searchPage: { name: "search_page", columns: { id: "int", data: "bytes" } },
      searchPending: { name: "search_pending", columns: { session_id: "int", from_seq: "int", until_seq: "int" } },
      importSkip: { name: "import_skip", columns: { id: "int", path: "text", line: "int", reason: "text", count: "int" } }
    };
    quoted = (columns) => columns.map((column) => `"${column}"`).join(", ");
  }
});

// src/generated/sqlite/internal/class.ts
import * as runtime from "@prisma/client/runtime/client";
async function decodeBase64AsWasm(wasmBase64) {
  const { Buffer: Buffer2 } = await import("node:buffer");
  const wasmArray = Buffer2.from(wasmBase64, "base64");
  return new WebAssembly.Module(wasmArray);
}
function getPrismaClientClass() {
  return runtime.getPrismaClient(config);
}
var config;
var init_class = __esm({
  "src/generated/sqlite/internal/class.ts"() {
    config = {
      "previewFeatures": [],
      "clientVersion": "7.10.0",
      "engineVersion": "0edf323efd1d98336f3f0a68684b56f689b900d3",
      "activeProvider": "sqlite",
      "inlineSchema": '// What was read from other agents\' transcripts, and how far.\n\nmodel ImportedFile {\n  id          Int    @id @default(autoincrement())\n  path        String @unique\n  agent       String\n  /// Counts commits: an importer names the version that it builds on.\n  version     Int\n  identity    String\n  size        BigInt\n  modifiedAt  BigInt @map("modified_at")\n  offset      BigInt\n  line        Int\n  fingerprint String\n  /// The parser\'s memory, JSON.\n  parserState Bytes  @map("parser_state")\n\n  @@map("imported_file")\n}\n\n/// Consecutive source lines of one session, byte for byte but for redactions.\nmodel SourceRun {\n  id        Int @id @default(autoincrement())\n  fileId    Int @map("file_id")\n  sessionId Int @map("session_id")\n  firstLine Int @map("first_line")\n  lineCount Int @map("line_count")\n  packId    Int @map("pack_id")\n  offset    Int\n  length    Int\n  /// Of the lines as they came, without their ends.\n  bytes     Int\n\n  @@index([sessionId])\n  @@index([fileId, firstLine])\n  @@map("source_run")\n}\n\n/// Input that was left out, with the reason.\nmodel ImportSkip {\n  id     Int    @id @default(autoincrement())\n  path   String\n  line   Int?\n  reason String\n  count  Int\n\n  @@index([path])\n  @@map("import_skip")\n}\n\n// State, notes, long-term memory and the record of checkpoints.\n\nmodel State {\n  /// `global`, `workspace:<path>` or `session:<id>`.\n  scope     String\n  key       String\n  /// JSON text: jsonb would refuse a NUL.\n  value     String\n  updatedAt BigInt @map("updated_at")\n\n  @@id([scope, key])\n  @@map("state")\n}\n\n/// A version of a note; the current one has no `validTo`.\nmodel NoteVersion {\n  id        Int     @id @default(autoincrement())\n  workspace String\n  key       String\n  text      String\n  sessionId String? @map("session_id")\n  createdAt BigInt  @map("created_at")\n  validFrom BigInt  @map("valid_from")\n  validTo   BigInt? @map("valid_to")\n\n  @@index([workspace, key, validTo])\n  @@map("note_version")\n}\n\n/// A version of a long-term memory entry; the current one has no `validTo`.\nmodel MemoryVersion {\n  id              Int     @id @default(autoincrement())\n  entryId         String  @map("entry_id")\n  workspace       String\n  kind            String\n  text            String\n  confidence      Float\n  /// JSON text.\n  examples        String\n  sessionId       String? @map("session_id")\n  messageId       String? @map("message_id")\n  firstSeenAt     BigInt  @map("first_seen_at")\n  lastConfirmedAt BigInt  @map("last_confirmed_at")\n  applications    Int\n  confirmations   Int     @default(0)\n  contradictions  Int     @default(0)\n  commit          String?\n  source          String  @default("user")\n  validFrom       BigInt  @map("valid_from")\n  validTo         BigInt? @map("valid_to")\n  /// Why it ended: updated, forgotten, superseded, pruned, merged, contradicted.\n  ended           String?\n  /// The entry that stands in its place.\n  replacedBy      String? @map("replaced_by")\n  /// A hash of the text\'s words in their order: finds what says the same.\n  words           String  @default("")\n\n  @@index([entryId, validFrom])\n  @@index([workspace, validTo])\n  @@index([words, validTo])\n  @@map("memory_version")\n}\n\nmodel Checkpoint {\n  id        String  @id\n  workspace String\n  sessionId String? @map("session_id")\n  at        BigInt\n  commit    String\n  files     Int\n  bytes     BigInt\n\n  @@index([workspace, at])\n  @@map("checkpoint")\n}\n\n// Generator and database only; the models are shared, in ../models.\n\ngenerator client {\n  provider            = "prisma-client"\n  // Seen from packages/storage-prisma/.prisma/sqlite, where the schema is put together.\n  output              = "../../src/generated/sqlite"\n  runtime             = "nodejs"\n  moduleFormat        = "esm"\n  importFileExtension = "ts"\n  compilerBuild       = "small"\n}\n\ndatasource db {\n  provider = "sqlite"\n}\n\n// The search index: analysed messages, and the segments that they are gathered into. Derived from the log.\n\n/// Messages that no segment holds yet.\nmodel SearchTail {\n  entryId     Int   @id @map("entry_id")\n  sessionId   Int   @map("session_id")\n  seq         Int\n  /// The workspace whose part of the index it belongs to; 0: none is known.\n  workspaceId Int   @map("workspace_id")\n  /// The message as analysed.\n  data        Bytes\n\n  @@index([workspaceId])\n  @@index([sessionId])\n  @@map("search_tail")\n}\n\n/// Messages of one workspace that were gathered; never changed, only replaced by a larger one.\nmodel SearchSegment {\n  id          Int   @id @default(autoincrement())\n  workspaceId Int   @map("workspace_id")\n  level       Int\n  messages    Int\n  /// Size of its postings.\n  bytes       Int\n  /// Facts of its messages and the dictionary of its terms.\n  head        Bytes\n\n  @@index([workspaceId])\n  @@map("search_segment")\n}\n\n/// Postings of a segment, in pages. The id is the segment\'s \xD7 1,024 + the page\'s number.\nmodel SearchPage {\n  id   Int   @id\n  data Bytes\n\n  @@map("search_page")\n}\n\n/// Sessions whose messages the index does not hold yet, from one place in the log to another (not included).\nmodel SearchPending {\n  sessionId Int @id @map("session_id")\n  fromSeq   Int @map("from_seq")\n  untilSeq  Int @map("until_seq")\n\n  @@map("search_pending")\n}\n\n// Sessions, their append-only logs, and the content that logs and transcripts share.\n// Times are milliseconds since the epoch. A dimension id of 0 means "not known".\n\n/// A project: the main working tree of a repository, or a folder.\nmodel Workspace {\n  id   Int    @id @default(autoincrement())\n  path String @unique\n  /// Last part of the path.\n  name String\n\n  @@index([name])\n  @@map("workspace")\n}\n\n/// Short texts that many rows repeat: agents, models, providers, modes, branches, subagents.\nmodel Label {\n  id    Int    @id @default(autoincrement())\n  kind  Int\n  value String\n\n  @@unique([kind, value])\n  @@map("label")\n}\n\nmodel Session {\n  id           Int     @id @default(autoincrement())\n  /// The public id: agent, colon, the agent\'s own id.\n  key          String  @unique\n  agentId      Int     @map("agent_id")\n  externalId   String  @map("external_id")\n  workspaceId  Int     @default(0) @map("workspace_id")\n  branchId     Int     @default(0) @map("branch_id")\n  title        String?\n  /// 1: a later log entry gave the title, so that a source\'s own does not replace it.\n  titled       Int     @default(0)\n  forkedFrom   String? @map("forked_from")\n  startedAt    BigInt? @map("started_at")\n  updatedAt    BigInt? @map("updated_at")\n  nextSeq      Int     @default(0) @map("next_seq")\n  messageCount Int     @default(0) @map("message_count")\n  favourite    Int     @default(0)\n  redactions   Int     @default(0)\n  /// Sums over the session\'s requests, as in the rollups.\n  requests     Int     @default(0)\n  costNano     BigInt  @default(0) @map("cost_nano")\n  unpriced     Int     @default(0)\n\n  @@index([externalId])\n  /// All that lists sort and filter by: they are found, counted and sorted without a look at the rows.\n  @@index([updatedAt, startedAt, workspaceId, branchId, agentId, messageCount, costNano], map: "session_list_idx")\n  @@map("session")\n}\n\n/// Sessions that a user deleted: an import does not bring them back.\nmodel DeletedSession {\n  key       String @id\n  deletedAt BigInt @map("deleted_at")\n\n  @@map("deleted_session")\n}\n\nmodel Entry {\n  id         Int     @id @default(autoincrement())\n  sessionId  Int     @map("session_id")\n  seq        Int\n  at         BigInt?\n  kind       Int\n  role       Int?\n  externalId String? @map("external_id")\n  /// Where the body lies: a slice of a pack, or `body` itself when it is small.\n  packId     Int?    @map("pack_id")\n  offset     Int?\n  length     Int?\n  body       Bytes?\n\n  @@unique([sessionId, seq])\n  @@unique([sessionId, externalId])\n  @@map("entry")\n}\n\n/// Compressed content: blocks, entry bodies and source lines that were written together.\nmodel Pack {\n  id        Int   @id @default(autoincrement())\n  sessionId Int   @map("session_id")\n  rawSize   Int   @map("raw_size")\n  /// Blocks that the content refers to by number; see packs/references.\n  refs      Bytes\n  data      Bytes\n\n  @@index([sessionId])\n  @@map("pack")\n}\n\n/// A text of 512 bytes or more, stored once.\nmodel Block {\n  id     Int   @id @default(autoincrement())\n  /// SHA-256 of the text.\n  hash   Bytes @unique\n  packId Int   @map("pack_id")\n  offset Int\n  length Int\n  /// 1 if an entry says it (then the search index knows it), 0 if it stands only in source lines.\n  said   Int\n\n  @@index([packId])\n  @@map("block")\n}\n\n/// A session that refers to a block in another session\'s pack: it must outlive that session.\nmodel BlockUse {\n  blockId   Int @map("block_id")\n  sessionId Int @map("session_id")\n\n  @@id([blockId, sessionId])\n  @@index([sessionId])\n  @@map("block_use")\n}\n\n// One row a request, and what is derived from these rows in the same transaction.\n\nmodel Usage {\n  id              Int     @id @default(autoincrement())\n  /// SHA-256 of agent and call id, its first 16 bytes.\n  callHash        Bytes   @unique @map("call_hash")\n  sessionId       Int     @map("session_id")\n  at              BigInt?\n  workspaceId     Int     @map("workspace_id")\n  modelId         Int     @map("model_id")\n  providerId      Int     @map("provider_id")\n  modeId          Int     @map("mode_id")\n  agentId         Int     @map("agent_id")\n  branchId        Int     @map("branch_id")\n  subagentId      Int     @map("subagent_id")\n  inputTokens     Int     @map("input_tokens")\n  cacheRead       Int     @map("cache_read")\n  cacheWrite5m    Int     @map("cache_write_5m")\n  cacheWrite1h    Int     @map("cache_write_1h")\n  outputTokens    Int     @map("output_tokens")\n  reasoningTokens Int     @map("reasoning_tokens")\n  costNano        BigInt? @map("cost_nano")\n  /// 0 recorded, 1 computed, 2 unpriced.\n  costState       Int     @map("cost_state")\n  /// Parts of a computed cost, and what caching saved.\n  costCacheRead   BigInt  @default(0) @map("cost_cache_read")\n  costCacheWrite  BigInt  @default(0) @map("cost_cache_write")\n  costOutput      BigInt  @default(0) @map("cost_output")\n  savedNano       BigInt  @default(0) @map("saved_nano")\n  visibleChars    Int     @map("visible_chars")\n\n  @@index([sessionId])\n  @@index([at])\n  @@map("usage_fact")\n}\n\n/// Sums by 15 minutes and everything that a view groups by. Bucket \u22121: time not known.\nmodel UsageQuarter {\n  bucket         Int\n  sessionId      Int    @map("session_id")\n  workspaceId    Int    @map("workspace_id")\n  modelId        Int    @map("model_id")\n  modeId         Int    @map("mode_id")\n  agentId        Int    @map("agent_id")\n  branchId       Int    @map("branch_id")\n  requests       Int\n  inputTokens    BigInt @map("input_tokens")\n  cacheRead      BigInt @map("cache_read")\n  cacheWrite5m   BigInt @map("cache_write_5m")\n  cacheWrite1h   BigInt @map("cache_write_1h")\n  outputTokens   BigInt @map("output_tokens")\n  reasoning      BigInt @map("reasoning_tokens")\n  costNano       BigInt @map("cost_nano")\n  recordedNano   BigInt @map("recorded_nano")\n  costCacheRead  BigInt @map("cost_cache_read_nano")\n  costCacheWrite BigInt @map("cost_cache_write_nano")\n  costOutput     BigInt @map("cost_output_nano")\n  savedNano      BigInt @map("saved_nano")\n  unpriced       Int\n  partial        Int\n  missingOutput  BigInt @map("missing_output")\n\n  @@id([bucket, sessionId, workspaceId, modelId, modeId, agentId, branchId])\n  @@map("usage_quarter")\n}\n\n/// The same by UTC day, for long ranges.\nmodel UsageDay {\n  day            Int\n  sessionId      Int    @map("session_id")\n  workspaceId    Int    @map("workspace_id")\n  modelId        Int    @map("model_id")\n  modeId         Int    @map("mode_id")\n  agentId        Int    @map("agent_id")\n  branchId       Int    @map("branch_id")\n  requests       Int\n  inputTokens    BigInt @map("input_tokens")\n  cacheRead      BigInt @map("cache_read")\n  cacheWrite5m   BigInt @map("cache_write_5m")\n  cacheWrite1h   BigInt @map("cache_write_1h")\n  outputTokens   BigInt @map("output_tokens")\n  reasoning      BigInt @map("reasoning_tokens")\n  costNano       BigInt @map("cost_nano")\n  recordedNano   BigInt @map("recorded_nano")\n  costCacheRead  BigInt @map("cost_cache_read_nano")\n  costCacheWrite BigInt @map("cost_cache_write_nano")\n  costOutput     BigInt @map("cost_output_nano")\n  savedNano      BigInt @map("saved_nano")\n  unpriced       Int\n  partial        Int\n  missingOutput  BigInt @map("missing_output")\n\n  @@id([day, sessionId, workspaceId, modelId, modeId, agentId, branchId])\n  /// The model is in it for lists of the sessions that used one.\n  @@index([sessionId, modelId])\n  @@map("usage_day")\n}\n\n/// The same by UTC day for each value of one dimension alone, for views over years. `shard`: see repository/rollups.\nmodel UsageMargin {\n  /// Number of the dimension; see repository/rollups.\n  dimension      Int\n  day            Int\n  valueId        Int    @map("value_id")\n  shard          Int\n  requests       Int\n  inputTokens    BigInt @map("input_tokens")\n  cacheRead      BigInt @map("cache_read")\n  cacheWrite5m   BigInt @map("cache_write_5m")\n  cacheWrite1h   BigInt @map("cache_write_1h")\n  outputTokens   BigInt @map("output_tokens")\n  reasoning      BigInt @map("reasoning_tokens")\n  costNano       BigInt @map("cost_nano")\n  recordedNano   BigInt @map("recorded_nano")\n  costCacheRead  BigInt @map("cost_cache_read_nano")\n  costCacheWrite BigInt @map("cost_cache_write_nano")\n  costOutput     BigInt @map("cost_output_nano")\n  savedNano      BigInt @map("saved_nano")\n  unpriced       Int\n  partial        Int\n  missingOutput  BigInt @map("missing_output")\n\n  @@id([dimension, day, valueId, shard])\n  @@map("usage_margin")\n}\n\n/// All requests of a quarter of an hour together, for days in any time zone over years.\nmodel UsageTotal {\n  bucket         Int\n  shard          Int\n  requests       Int\n  inputTokens    BigInt @map("input_tokens")\n  cacheRead      BigInt @map("cache_read")\n  cacheWrite5m   BigInt @map("cache_write_5m")\n  cacheWrite1h   BigInt @map("cache_write_1h")\n  outputTokens   BigInt @map("output_tokens")\n  reasoning      BigInt @map("reasoning_tokens")\n  costNano       BigInt @map("cost_nano")\n  recordedNano   BigInt @map("recorded_nano")\n  costCacheRead  BigInt @map("cost_cache_read_nano")\n  costCacheWrite BigInt @map("cost_cache_write_nano")\n  costOutput     BigInt @map("cost_output_nano")\n  savedNano      BigInt @map("saved_nano")\n  unpriced       Int\n  partial        Int\n  missingOutput  BigInt @map("missing_output")\n\n  @@id([bucket, shard])\n  @@map("usage_total")\n}\n',
      "runtimeDataModel": {
        "models": {},
        "enums": {},
        "types": {}
      },
      "parameterizationSchema": {
        "strings": [],
        "graph": ""
      }
    };
    config.runtimeDataModel = JSON.parse('{"models":{"ImportedFile":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"path","kind":"scalar","type":"String"},{"name":"agent","kind":"scalar","type":"String"},{"name":"version","kind":"scalar","type":"Int"},{"name":"identity","kind":"scalar","type":"String"},{"name":"size","kind":"scalar","type":"BigInt"},{"name":"modifiedAt","kind":"scalar","type":"BigInt","dbName":"modified_at"},{"name":"offset","kind":"scalar","type":"BigInt"},{"name":"line","kind":"scalar","type":"Int"},{"name":"fingerprint","kind":"scalar","type":"String"},{"name":"parserState","kind":"scalar","type":"Bytes","dbName":"parser_state"}],"dbName":"imported_file","schema":null},"SourceRun":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"fileId","kind":"scalar","type":"Int","dbName":"file_id"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"firstLine","kind":"scalar","type":"Int","dbName":"first_line"},{"name":"lineCount","kind":"scalar","type":"Int","dbName":"line_count"},{"name":"packId","kind":"scalar","type":"Int","dbName":"pack_id"},{"name":"offset","kind":"scalar","type":"Int"},{"name":"length","kind":"scalar","type":"Int"},{"name":"bytes","kind":"scalar","type":"Int"}],"dbName":"source_run","schema":null},"ImportSkip":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"path","kind":"scalar","type":"String"},{"name":"line","kind":"scalar","type":"Int"},{"name":"reason","kind":"scalar","type":"String"},{"name":"count","kind":"scalar","type":"Int"}],"dbName":"import_skip","schema":null},"State":{"fields":[{"name":"scope","kind":"scalar","type":"String"},{"name":"key","kind":"scalar","type":"String"},{"name":"value","kind":"scalar","type":"String"},{"name":"updatedAt","kind":"scalar","type":"BigInt","dbName":"updated_at"}],"dbName":"state","schema":null},"NoteVersion":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"workspace","kind":"scalar","type":"String"},{"name":"key","kind":"scalar","type":"String"},{"name":"text","kind":"scalar","type":"String"},{"name":"sessionId","kind":"scalar","type":"String","dbName":"session_id"},{"name":"createdAt","kind":"scalar","type":"BigInt","dbName":"created_at"},{"name":"validFrom","kind":"scalar","type":"BigInt","dbName":"valid_from"},{"name":"validTo","kind":"scalar","type":"BigInt","dbName":"valid_to"}],"dbName":"note_version","schema":null},"MemoryVersion":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"entryId","kind":"scalar","type":"String","dbName":"entry_id"},{"name":"workspace","kind":"scalar","type":"String"},{"name":"kind","kind":"scalar","type":"String"},{"name":"text","kind":"scalar","type":"String"},{"name":"confidence","kind":"scalar","type":"Float"},{"name":"examples","kind":"scalar","type":"String"},{"name":"sessionId","kind":"scalar","type":"String","dbName":"session_id"},{"name":"messageId","kind":"scalar","type":"String","dbName":"message_id"},{"name":"firstSeenAt","kind":"scalar","type":"BigInt","dbName":"first_seen_at"},{"name":"lastConfirmedAt","kind":"scalar","type":"BigInt","dbName":"last_confirmed_at"},{"name":"applications","kind":"scalar","type":"Int"},{"name":"confirmations","kind":"scalar","type":"Int"},{"name":"contradictions","kind":"scalar","type":"Int"},{"name":"commit","kind":"scalar","type":"String"},{"name":"source","kind":"scalar","type":"String"},{"name":"validFrom","kind":"scalar","type":"BigInt","dbName":"valid_from"},{"name":"validTo","kind":"scalar","type":"BigInt","dbName":"valid_to"},{"name":"ended","kind":"scalar","type":"String"},{"name":"replacedBy","kind":"scalar","type":"String","dbName":"replaced_by"},{"name":"words","kind":"scalar","type":"String"}],"dbName":"memory_version","schema":null},"Checkpoint":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"workspace","kind":"scalar","type":"String"},{"name":"sessionId","kind":"scalar","type":"String","dbName":"session_id"},{"name":"at","kind":"scalar","type":"BigInt"},{"name":"commit","kind":"scalar","type":"String"},{"name":"files","kind":"scalar","type":"Int"},{"name":"bytes","kind":"scalar","type":"BigInt"}],"dbName":"checkpoint","schema":null},"SearchTail":{"fields":[{"name":"entryId","kind":"scalar","type":"Int","dbName":"entry_id"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"seq","kind":"scalar","type":"Int"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"data","kind":"scalar","type":"Bytes"}],"dbName":"search_tail","schema":null},"SearchSegment":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"level","kind":"scalar","type":"Int"},{"name":"messages","kind":"scalar","type":"Int"},{"name":"bytes","kind":"scalar","type":"Int"},{"name":"head","kind":"scalar","type":"Bytes"}],"dbName":"search_segment","schema":null},"SearchPage":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"data","kind":"scalar","type":"Bytes"}],"dbName":"search_page","schema":null},"SearchPending":{"fields":[{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"fromSeq","kind":"scalar","type":"Int","dbName":"from_seq"},{"name":"untilSeq","kind":"scalar","type":"Int","dbName":"until_seq"}],"dbName":"search_pending","schema":null},"Workspace":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"path","kind":"scalar","type":"String"},{"name":"name","kind":"scalar","type":"String"}],"dbName":"workspace","schema":null},"Label":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"kind","kind":"scalar","type":"Int"},{"name":"value","kind":"scalar","type":"String"}],"dbName":"label","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"key","kind":"scalar","type":"String"},{"name":"agentId","kind":"scalar","type":"Int","dbName":"agent_id"},{"name":"externalId","kind":"scalar","type":"String","dbName":"external_id"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"branchId","kind":"scalar","type":"Int","dbName":"branch_id"},{"name":"title","kind":"scalar","type":"String"},{"name":"titled","kind":"scalar","type":"Int"},{"name":"forkedFrom","kind":"scalar","type":"String","dbName":"forked_from"},{"name":"startedAt","kind":"scalar","type":"BigInt","dbName":"started_at"},{"name":"updatedAt","kind":"scalar","type":"BigInt","dbName":"updated_at"},{"name":"nextSeq","kind":"scalar","type":"Int","dbName":"next_seq"},{"name":"messageCount","kind":"scalar","type":"Int","dbName":"message_count"},{"name":"favourite","kind":"scalar","type":"Int"},{"name":"redactions","kind":"scalar","type":"Int"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"unpriced","kind":"scalar","type":"Int"}],"dbName":"session","schema":null},"DeletedSession":{"fields":[{"name":"key","kind":"scalar","type":"String"},{"name":"deletedAt","kind":"scalar","type":"BigInt","dbName":"deleted_at"}],"dbName":"deleted_session","schema":null},"Entry":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"seq","kind":"scalar","type":"Int"},{"name":"at","kind":"scalar","type":"BigInt"},{"name":"kind","kind":"scalar","type":"Int"},{"name":"role","kind":"scalar","type":"Int"},{"name":"externalId","kind":"scalar","type":"String","dbName":"external_id"},{"name":"packId","kind":"scalar","type":"Int","dbName":"pack_id"},{"name":"offset","kind":"scalar","type":"Int"},{"name":"length","kind":"scalar","type":"Int"},{"name":"body","kind":"scalar","type":"Bytes"}],"dbName":"entry","schema":null},"Pack":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"rawSize","kind":"scalar","type":"Int","dbName":"raw_size"},{"name":"refs","kind":"scalar","type":"Bytes"},{"name":"data","kind":"scalar","type":"Bytes"}],"dbName":"pack","schema":null},"Block":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"hash","kind":"scalar","type":"Bytes"},{"name":"packId","kind":"scalar","type":"Int","dbName":"pack_id"},{"name":"offset","kind":"scalar","type":"Int"},{"name":"length","kind":"scalar","type":"Int"},{"name":"said","kind":"scalar","type":"Int"}],"dbName":"block","schema":null},"BlockUse":{"fields":[{"name":"blockId","kind":"scalar","type":"Int","dbName":"block_id"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"}],"dbName":"block_use","schema":null},"Usage":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"callHash","kind":"scalar","type":"Bytes","dbName":"call_hash"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"at","kind":"scalar","type":"BigInt"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"modelId","kind":"scalar","type":"Int","dbName":"model_id"},{"name":"providerId","kind":"scalar","type":"Int","dbName":"provider_id"},{"name":"modeId","kind":"scalar","type":"Int","dbName":"mode_id"},{"name":"agentId","kind":"scalar","type":"Int","dbName":"agent_id"},{"name":"branchId","kind":"scalar","type":"Int","dbName":"branch_id"},{"name":"subagentId","kind":"scalar","type":"Int","dbName":"subagent_id"},{"name":"inputTokens","kind":"scalar","type":"Int","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"Int","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"Int","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"Int","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"Int","dbName":"output_tokens"},{"name":"reasoningTokens","kind":"scalar","type":"Int","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"costState","kind":"scalar","type":"Int","dbName":"cost_state"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"visibleChars","kind":"scalar","type":"Int","dbName":"visible_chars"}],"dbName":"usage_fact","schema":null},"UsageQuarter":{"fields":[{"name":"bucket","kind":"scalar","type":"Int"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"modelId","kind":"scalar","type":"Int","dbName":"model_id"},{"name":"modeId","kind":"scalar","type":"Int","dbName":"mode_id"},{"name":"agentId","kind":"scalar","type":"Int","dbName":"agent_id"},{"name":"branchId","kind":"scalar","type":"Int","dbName":"branch_id"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"inputTokens","kind":"scalar","type":"BigInt","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"BigInt","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"BigInt","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"BigInt","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"BigInt","dbName":"output_tokens"},{"name":"reasoning","kind":"scalar","type":"BigInt","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"recordedNano","kind":"scalar","type":"BigInt","dbName":"recorded_nano"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read_nano"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write_nano"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output_nano"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"unpriced","kind":"scalar","type":"Int"},{"name":"partial","kind":"scalar","type":"Int"},{"name":"missingOutput","kind":"scalar","type":"BigInt","dbName":"missing_output"}],"dbName":"usage_quarter","schema":null},"UsageDay":{"fields":[{"name":"day","kind":"scalar","type":"Int"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"modelId","kind":"scalar","type":"Int","dbName":"model_id"},{"name":"modeId","kind":"scalar","type":"Int","dbName":"mode_id"},{"name":"agentId","kind":"scalar","type":"Int","dbName":"agent_id"},{"name":"branchId","kind":"scalar","type":"Int","dbName":"branch_id"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"inputTokens","kind":"scalar","type":"BigInt","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"BigInt","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"BigInt","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"BigInt","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"BigInt","dbName":"output_tokens"},{"name":"reasoning","kind":"scalar","type":"BigInt","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"recordedNano","kind":"scalar","type":"BigInt","dbName":"recorded_nano"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read_nano"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write_nano"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output_nano"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"unpriced","kind":"scalar","type":"Int"},{"name":"partial","kind":"scalar","type":"Int"},{"name":"missingOutput","kind":"scalar","type":"BigInt","dbName":"missing_output"}],"dbName":"usage_day","schema":null},"UsageMargin":{"fields":[{"name":"dimension","kind":"scalar","type":"Int"},{"name":"day","kind":"scalar","type":"Int"},{"name":"valueId","kind":"scalar","type":"Int","dbName":"value_id"},{"name":"shard","kind":"scalar","type":"Int"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"inputTokens","kind":"scalar","type":"BigInt","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"BigInt","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"BigInt","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"BigInt","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"BigInt","dbName":"output_tokens"},{"name":"reasoning","kind":"scalar","type":"BigInt","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"recordedNano","kind":"scalar","type":"BigInt","dbName":"recorded_nano"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read_nano"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write_nano"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output_nano"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"unpriced","kind":"scalar","type":"Int"},{"name":"partial","kind":"scalar","type":"Int"},{"name":"missingOutput","kind":"scalar","type":"BigInt","dbName":"missing_output"}],"dbName":"usage_margin","schema":null},"UsageTotal":{"fields":[{"name":"bucket","kind":"scalar","type":"Int"},{"name":"shard","kind":"scalar","type":"Int"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"inputTokens","kind":"scalar","type":"BigInt","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"BigInt","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"BigInt","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"BigInt","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"BigInt","dbName":"output_tokens"},{"name":"reasoning","kind":"scalar","type":"BigInt","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"recordedNano","kind":"scalar","type":"BigInt","dbName":"recorded_nano"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read_nano"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write_nano"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output_nano"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"unpriced","kind":"scalar","type":"Int"},{"name":"partial","kind":"scalar","type":"Int"},{"name":"missingOutput","kind":"scalar","type":"BigInt","dbName":"missing_output"}],"dbName":"usage_total","schema":null}},"enums":{},"types":{}}');
    config.parameterizationSchema = {
      strings: JSON.parse('["where","ImportedFile.findUnique","ImportedFile.findUniqueOrThrow","orderBy","cursor","ImportedFile.findFirst","ImportedFile.findFirstOrThrow","ImportedFile.findMany","data","ImportedFile.createOne","ImportedFile.createMany","ImportedFile.createManyAndReturn","ImportedFile.updateOne","ImportedFile.updateMany","ImportedFile.updateManyAndReturn","create","update","ImportedFile.upsertOne","ImportedFile.deleteOne","ImportedFile.deleteMany","having","_count","_avg","_sum","_min","_max","ImportedFile.groupBy","ImportedFile.aggregate","SourceRun.findUnique","SourceRun.findUniqueOrThrow","SourceRun.findFirst","SourceRun.findFirstOrThrow","SourceRun.findMany","SourceRun.createOne","SourceRun.createMany","SourceRun.createManyAndReturn","SourceRun.updateOne","SourceRun.updateMany","SourceRun.updateManyAndReturn","SourceRun.upsertOne","SourceRun.deleteOne","SourceRun.deleteMany","SourceRun.groupBy","SourceRun.aggregate","ImportSkip.findUnique","ImportSkip.findUniqueOrThrow","ImportSkip.findFirst","ImportSkip.findFirstOrThrow","ImportSkip.findMany","ImportSkip.createOne","ImportSkip.createMany","ImportSkip.createManyAndReturn","ImportSkip.updateOne","ImportSkip.updateMany","ImportSkip.updateManyAndReturn","ImportSkip.upsertOne","ImportSkip.deleteOne","ImportSkip.deleteMany","ImportSkip.groupBy","ImportSkip.aggregate","State.findUnique","State.findUniqueOrThrow","State.findFirst","State.findFirstOrThrow","State.findMany","State.createOne","State.createMany","State.createManyAndReturn","State.updateOne","State.updateMany","State.updateManyAndReturn","State.upsertOne","State.deleteOne","State.deleteMany","State.groupBy","State.aggregate","NoteVersion.findUnique","NoteVersion.findUniqueOrThrow","NoteVersion.findFirst","NoteVersion.findFirstOrThrow","NoteVersion.findMany","NoteVersion.createOne","NoteVersion.createMany","NoteVersion.createManyAndReturn","NoteVersion.updateOne","NoteVersion.updateMany","NoteVersion.updateManyAndReturn","NoteVersion.upsertOne","NoteVersion.deleteOne","NoteVersion.deleteMany","NoteVersion.groupBy","NoteVersion.aggregate","MemoryVersion.findUnique","MemoryVersion.findUniqueOrThrow","MemoryVersion.findFirst","MemoryVersion.findFirstOrThrow","MemoryVersion.findMany","MemoryVersion.createOne","MemoryVersion.createMany","MemoryVersion.createManyAndReturn","MemoryVersion.updateOne","MemoryVersion.updateMany","MemoryVersion.updateManyAndReturn","MemoryVersion.upsertOne","MemoryVersion.deleteOne","MemoryVersion.deleteMany","MemoryVersion.groupBy","MemoryVersion.aggregate","Checkpoint.findUnique","Checkpoint.findUniqueOrThrow","Checkpoint.findFirst","Checkpoint.findFirstOrThrow","Checkpoint.findMany","Checkpoint.createOne","Checkpoint.createMany","Checkpoint.createManyAndReturn","Checkpoint.updateOne","Checkpoint.updateMany","Checkpoint.updateManyAndReturn","Checkpoint.upsertOne","Checkpoint.deleteOne","Checkpoint.deleteMany","Checkpoint.groupBy","Checkpoint.aggregate","SearchTail.findUnique","SearchTail.findUniqueOrThrow","SearchTail.findFirst","SearchTail.findFirstOrThrow","SearchTail.findMany","SearchTail.createOne","SearchTail.createMany","SearchTail.createManyAndReturn","SearchTail.updateOne","SearchTail.updateMany","SearchTail.updateManyAndReturn","SearchTail.upsertOne","SearchTail.deleteOne","SearchTail.deleteMany","SearchTail.groupBy","SearchTail.aggregate","SearchSegment.findUnique","SearchSegment.findUniqueOrThrow","SearchSegment.findFirst","SearchSegment.findFirstOrThrow","SearchSegment.findMany","SearchSegment.createOne","SearchSegment.createMany","SearchSegment.createManyAndReturn","SearchSegment.updateOne","SearchSegment.updateMany","SearchSegment.updateManyAndReturn","SearchSegment.upsertOne","SearchSegment.deleteOne","SearchSegment.deleteMany","SearchSegment.groupBy","SearchSegment.aggregate","SearchPage.findUnique","SearchPage.findUniqueOrThrow","SearchPage.findFirst","SearchPage.findFirstOrThrow","SearchPage.findMany","SearchPage.createOne","SearchPage.createMany","SearchPage.createManyAndReturn","SearchPage.updateOne","SearchPage.updateMany","SearchPage.updateManyAndReturn","SearchPage.upsertOne","SearchPage.deleteOne","SearchPage.deleteMany","SearchPage.groupBy","SearchPage.aggregate","SearchPending.findUnique","SearchPending.findUniqueOrThrow","SearchPending.findFirst","SearchPending.findFirstOrThrow","SearchPending.findMany","SearchPending.createOne","SearchPending.createMany","SearchPending.createManyAndReturn","SearchPending.updateOne","SearchPending.updateMany","SearchPending.updateManyAndReturn","SearchPending.upsertOne","SearchPending.deleteOne","SearchPending.deleteMany","SearchPending.groupBy","SearchPending.aggregate","Workspace.findUnique","Workspace.findUniqueOrThrow","Workspace.findFirst","Workspace.findFirstOrThrow","Workspace.findMany","Workspace.createOne","Workspace.createMany","Workspace.createManyAndReturn","Workspace.updateOne","Workspace.updateMany","Workspace.updateManyAndReturn","Workspace.upsertOne","Workspace.deleteOne","Workspace.deleteMany","Workspace.groupBy","Workspace.aggregate","Label.findUnique","Label.findUniqueOrThrow","Label.findFirst","Label.findFirstOrThrow","Label.findMany","Label.createOne","Label.createMany","Label.createManyAndReturn","Label.updateOne","Label.updateMany","Label.updateManyAndReturn","Label.upsertOne","Label.deleteOne","Label.deleteMany","Label.groupBy","Label.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","DeletedSession.findUnique","DeletedSession.findUniqueOrThrow","DeletedSession.findFirst","DeletedSession.findFirstOrThrow","DeletedSession.findMany","DeletedSession.createOne","DeletedSession.createMany","DeletedSession.createManyAndReturn","DeletedSession.updateOne","DeletedSession.updateMany","DeletedSession.updateManyAndReturn","DeletedSession.upsertOne","DeletedSession.deleteOne","DeletedSession.deleteMany","DeletedSession.groupBy","DeletedSession.aggregate","Entry.findUnique","Entry.findUniqueOrThrow","Entry.findFirst","Entry.findFirstOrThrow","Entry.findMany","Entry.createOne","Entry.createMany","Entry.createManyAndReturn","Entry.updateOne","Entry.updateMany","Entry.updateManyAndReturn","Entry.upsertOne","Entry.deleteOne","Entry.deleteMany","Entry.groupBy","Entry.aggregate","Pack.findUnique","Pack.findUniqueOrThrow","Pack.findFirst","Pack.findFirstOrThrow","Pack.findMany","Pack.createOne","Pack.createMany","Pack.createManyAndReturn","Pack.updateOne","Pack.updateMany","Pack.updateManyAndReturn","Pack.upsertOne","Pack.deleteOne","Pack.deleteMany","Pack.groupBy","Pack.aggregate","Block.findUnique","Block.findUniqueOrThrow","Block.findFirst","Block.findFirstOrThrow","Block.findMany","Block.createOne","Block.createMany","Block.createManyAndReturn","Block.updateOne","Block.updateMany","Block.updateManyAndReturn","Block.upsertOne","Block.deleteOne","Block.deleteMany","Block.groupBy","Block.aggregate","BlockUse.findUnique","BlockUse.findUniqueOrThrow","BlockUse.findFirst","BlockUse.findFirstOrThrow","BlockUse.findMany","BlockUse.createOne","BlockUse.createMany","BlockUse.createManyAndReturn","BlockUse.updateOne","BlockUse.updateMany","BlockUse.updateManyAndReturn","BlockUse.upsertOne","BlockUse.deleteOne","BlockUse.deleteMany","BlockUse.groupBy","BlockUse.aggregate","Usage.findUnique","Usage.findUniqueOrThrow","Usage.findFirst","Usage.findFirstOrThrow","Usage.findMany","Usage.createOne","Usage.createMany","Usage.createManyAndReturn","Usage.updateOne","Usage.updateMany","Usage.updateManyAndReturn","Usage.upsertOne","Usage.deleteOne","Usage.deleteMany","Usage.groupBy","Usage.aggregate","UsageQuarter.findUnique","UsageQuarter.findUniqueOrThrow","UsageQuarter.findFirst","UsageQuarter.findFirstOrThrow","UsageQuarter.findMany","UsageQuarter.createOne","UsageQuarter.createMany","UsageQuarter.createManyAndReturn","UsageQuarter.updateOne","UsageQuarter.updateMany","UsageQuarter.updateManyAndReturn","UsageQuarter.upsertOne","UsageQuarter.deleteOne","UsageQuarter.deleteMany","UsageQuarter.groupBy","UsageQuarter.aggregate","UsageDay.findUnique","UsageDay.findUniqueOrThrow","UsageDay.findFirst","UsageDay.findFirstOrThrow","UsageDay.findMany","UsageDay.createOne","UsageDay.createMany","UsageDay.createManyAndReturn","UsageDay.updateOne","UsageDay.updateMany","UsageDay.updateManyAndReturn","UsageDay.upsertOne","UsageDay.deleteOne","UsageDay.deleteMany","UsageDay.groupBy","UsageDay.aggregate","UsageMargin.findUnique","UsageMargin.findUniqueOrThrow","UsageMargin.findFirst","UsageMargin.findFirstOrThrow","UsageMargin.findMany","UsageMargin.createOne","UsageMargin.createMany","UsageMargin.createManyAndReturn","UsageMargin.updateOne","UsageMargin.updateMany","UsageMargin.updateManyAndReturn","UsageMargin.upsertOne","UsageMargin.deleteOne","UsageMargin.deleteMany","UsageMargin.groupBy","UsageMargin.aggregate","UsageTotal.findUnique","UsageTotal.findUniqueOrThrow","UsageTotal.findFirst","UsageTotal.findFirstOrThrow","UsageTotal.findMany","UsageTotal.createOne","UsageTotal.createMany","UsageTotal.createManyAndReturn","UsageTotal.updateOne","UsageTotal.updateMany","UsageTotal.updateManyAndReturn","UsageTotal.upsertOne","UsageTotal.deleteOne","UsageTotal.deleteMany","UsageTotal.groupBy","UsageTotal.aggregate","AND","OR","NOT","bucket","shard","requests","inputTokens","cacheRead","cacheWrite5m","cacheWrite1h","outputTokens","reasoning","costNano","recordedNano","costCacheRead","costCacheWrite","costOutput","savedNano","unpriced","partial","missingOutput","equals","in","notIn","lt","lte","gt","gte","not","bucket_shard","dimension","day","valueId","dimension_day_valueId_shard","sessionId","workspaceId","modelId","modeId","agentId","branchId","day_sessionId_workspaceId_modelId_modeId_agentId_branchId","bucket_sessionId_workspaceId_modelId_modeId_agentId_branchId","id","callHash","at","providerId","subagentId","reasoningTokens","costState","visibleChars","blockId","blockId_sessionId","hash","packId","offset","length","said","rawSize","refs","seq","kind","role","externalId","body","contains","startsWith","endsWith","sessionId_seq","sessionId_externalId","key","deletedAt","title","titled","forkedFrom","startedAt","updatedAt","nextSeq","messageCount","favourite","redactions","value","kind_value","path","name","fromSeq","untilSeq","level","messages","bytes","head","entryId","workspace","commit","files","text","confidence","examples","messageId","firstSeenAt","lastConfirmedAt","applications","confirmations","contradictions","source","validFrom","validTo","ended","replacedBy","words","createdAt","scope","scope_key","line","reason","count","fileId","firstLine","lineCount","agent","version","identity","size","modifiedAt","fingerprint","parserState","set","increment","decrement","multiply","divide"]'),
      graph: "uAbxAYADDowDAAC2BQAwjQMAAAQAEI4DAAC2BQAwtgMCAAAAAcIDBADjBAAh3gMBAAAAAfwDAgDiBAAhggQBAJUFACGDBAIA4gQAIYQEAQCVBQAhhQQEAOMEACGGBAQA4wQAIYcEAQCVBQAhiAQAAfgEACEBAAAAAQAgAQAAAAEAIA6MAwAAtgUAMI0DAAAEABCOAwAAtgUAMLYDAgDiBAAhwgMEAOMEACHeAwEAlQUAIfwDAgDiBAAhggQBAJUFACGDBAIA4gQAIYQEAQCVBQAhhQQEAOMEACGGBAQA4wQAIYcEAQCVBQAhiAQAAfgEACEAAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACADAAAABAAgAwAABQAwBAAAAQAgC7YDAgAAAAHCAwQAAAAB3gMBAAAAAfwDAgAAAAGCBAEAAAABgwQCAAAAAYQEAQAAAAGFBAQAAAABhgQEAAAAAYcEAQAAAAGIBAABAAABAQgAAAkAIAu2AwIAAAABwgMEAAAAAd4DAQAAAAH8AwIAAAABggQBAAAAAYMEAgAAAAGEBAEAAAABhQQEAAAAAYYEBAAAAAGHBAEAAAABiAQAAQAAAQEIAAALADABCAAACwAwC7YDAgC8BQAhwgMEAL0FACHeAwEA8QUAIfwDAgC8BQAhggQBAPEFACGDBAIAvAUAIYQEAQDxBQAhhQQEAL0FACGGBAQAvQUAIYcEAQDxBQAhiAQAAdMFACECAAAAAQAgCAAADgAgC7YDAgC8BQAhwgMEAL0FACHeAwEA8QUAIfwDAgC8BQAhggQBAPEFACGDBAIAvAUAIYQEAQDxBQAhhQQEAL0FACGGBAQAvQUAIYcEAQDxBQAhiAQAAdMFACECAAAABAAgCAAAEAAgAgAAAAQAIAgAABAAIAMAAAABACAPAAAJACAQAAAOACABAAAAAQAgAQAAAAQAIAUVAAC0BgAgFgAAtQYAIBcAALgGACAYAAC3BgAgGQAAtgYAIA6MAwAAtQUAMI0DAAAXABCOAwAAtQUAMLYDAgDaBAAhwgMEANsEACHeAwEAkQUAIfwDAgDaBAAhggQBAJEFACGDBAIA2gQAIYQEAQCRBQAhhQQEANsEACGGBAQA2wQAIYcEAQCRBQAhiAQAAe8EACEDAAAABAAgAwAAFgAwFAAAFwAgAwAAAAQAIAMAAAUAMAQAAAEAIAyMAwAAtAUAMI0DAAAdABCOAwAAtAUAMK4DAgDiBAAhtgMCAAAAAcEDAgDiBAAhwgMCAOIEACHDAwIA4gQAIeQDAgDiBAAh_wMCAOIEACGABAIA4gQAIYEEAgDiBAAhAQAAABoAIAEAAAAaACAMjAMAALQFADCNAwAAHQAQjgMAALQFADCuAwIA4gQAIbYDAgDiBAAhwQMCAOIEACHCAwIA4gQAIcMDAgDiBAAh5AMCAOIEACH_AwIA4gQAIYAEAgDiBAAhgQQCAOIEACEAAwAAAB0AIAMAAB4AMAQAABoAIAMAAAAdACADAAAeADAEAAAaACADAAAAHQAgAwAAHgAwBAAAGgAgCa4DAgAAAAG2AwIAAAABwQMCAAAAAcIDAgAAAAHDAwIAAAAB5AMCAAAAAf8DAgAAAAGABAIAAAABgQQCAAAAAQEIAAAiACAJrgMCAAAAAbYDAgAAAAHBAwIAAAABwgMCAAAAAcMDAgAAAAHkAwIAAAAB_wMCAAAAAYAEAgAAAAGBBAIAAAABAQgAACQAMAEIAAAkADAJrgMCALwFACG2AwIAvAUAIcEDAgC8BQAhwgMCALwFACHDAwIAvAUAIeQDAgC8BQAh_wMCALwFACGABAIAvAUAIYEEAgC8BQAhAgAAABoAIAgAACcAIAmuAwIAvAUAIbYDAgC8BQAhwQMCALwFACHCAwIAvAUAIcMDAgC8BQAh5AMCALwFACH_AwIAvAUAIYAEAgC8BQAhgQQCALwFACECAAAAHQAgCAAAKQAgAgAAAB0AIAgAACkAIAMAAAAaACAPAAAiACAQAAAnACABAAAAGgAgAQAAAB0AIAUVAACvBgAgFgAAsAYAIBcAALMGACAYAACyBgAgGQAAsQYAIAyMAwAAswUAMI0DAAAwABCOAwAAswUAMK4DAgDaBAAhtgMCANoEACHBAwIA2gQAIcIDAgDaBAAhwwMCANoEACHkAwIA2gQAIf8DAgDaBAAhgAQCANoEACGBBAIA2gQAIQMAAAAdACADAAAvADAUAAAwACADAAAAHQAgAwAAHgAwBAAAGgAgCIwDAACyBQAwjQMAADYAEI4DAACyBQAwtgMCAAAAAd4DAQCVBQAh_AMCAIsFACH9AwEAlQUAIf4DAgDiBAAhAQAAADMAIAEAAAAzACAIjAMAALIFADCNAwAANgAQjgMAALIFADC2AwIA4gQAId4DAQCVBQAh_AMCAIsFACH9AwEAlQUAIf4DAgDiBAAhAfwDAADNBQAgAwAAADYAIAMAADcAMAQAADMAIAMAAAA2ACADAAA3ADAEAAAzACADAAAANgAgAwAANwAwBAAAMwAgBbYDAgAAAAHeAwEAAAAB_AMCAAAAAf0DAQAAAAH-AwIAAAABAQgAADsAIAW2AwIAAAAB3gMBAAAAAfwDAgAAAAH9AwEAAAAB_gMCAAAAAQEIAAA9ADABCAAAPQAwBbYDAgC8BQAh3gMBAPEFACH8AwIA6QUAIf0DAQDxBQAh_gMCALwFACECAAAAMwAgCAAAQAAgBbYDAgC8BQAh3gMBAPEFACH8AwIA6QUAIf0DAQDxBQAh_gMCALwFACECAAAANgAgCAAAQgAgAgAAADYAIAgAAEIAIAMAAAAzACAPAAA7ACAQAABAACABAAAAMwAgAQAAADYAIAYVAACqBgAgFgAAqwYAIBcAAK4GACAYAACtBgAgGQAArAYAIPwDAADNBQAgCIwDAACxBQAwjQMAAEkAEI4DAACxBQAwtgMCANoEACHeAwEAkQUAIfwDAgCCBQAh_QMBAJEFACH-AwIA2gQAIQMAAAA2ACADAABIADAUAABJACADAAAANgAgAwAANwAwBAAAMwAgCIwDAACvBQAwjQMAAE8AEI4DAACvBQAw0QMBAJUFACHXAwQA4wQAIdwDAQCVBQAh-gMBAJUFACH7AwAAsAUAIAEAAABMACABAAAATAAgB4wDAACvBQAwjQMAAE8AEI4DAACvBQAw0QMBAJUFACHXAwQA4wQAIdwDAQCVBQAh-gMBAJUFACEAAwAAAE8AIAMAAFAAMAQAAEwAIAMAAABPACADAABQADAEAABMACADAAAATwAgAwAAUAAwBAAATAAgBNEDAQAAAAHXAwQAAAAB3AMBAAAAAfoDAQAAAAEBCAAAVAAgBNEDAQAAAAHXAwQAAAAB3AMBAAAAAfoDAQAAAAEBCAAAVgAwAQgAAFYAMATRAwEA8QUAIdcDBAC9BQAh3AMBAPEFACH6AwEA8QUAIQIAAABMACAIAABZACAE0QMBAPEFACHXAwQAvQUAIdwDAQDxBQAh-gMBAPEFACECAAAATwAgCAAAWwAgAgAAAE8AIAgAAFsAIAMAAABMACAPAABUACAQAABZACABAAAATAAgAQAAAE8AIAUVAAClBgAgFgAApgYAIBcAAKkGACAYAACoBgAgGQAApwYAIAeMAwAArgUAMI0DAABiABCOAwAArgUAMNEDAQCRBQAh1wMEANsEACHcAwEAkQUAIfoDAQCRBQAhAwAAAE8AIAMAAGEAMBQAAGIAIAMAAABPACADAABQADAEAABMACALjAMAAK0FADCNAwAAaAAQjgMAAK0FADCuAwEAjAUAIbYDAgAAAAHRAwEAlQUAIecDAQCVBQAh6gMBAJUFACH0AwQA4wQAIfUDBAD5BAAh-QMEAOMEACEBAAAAZQAgAQAAAGUAIAuMAwAArQUAMI0DAABoABCOAwAArQUAMK4DAQCMBQAhtgMCAOIEACHRAwEAlQUAIecDAQCVBQAh6gMBAJUFACH0AwQA4wQAIfUDBAD5BAAh-QMEAOMEACECrgMAAM0FACD1AwAAzQUAIAMAAABoACADAABpADAEAABlACADAAAAaAAgAwAAaQAwBAAAZQAgAwAAAGgAIAMAAGkAMAQAAGUAIAiuAwEAAAABtgMCAAAAAdEDAQAAAAHnAwEAAAAB6gMBAAAAAfQDBAAAAAH1AwQAAAAB-QMEAAAAAQEIAABtACAIrgMBAAAAAbYDAgAAAAHRAwEAAAAB5wMBAAAAAeoDAQAAAAH0AwQAAAAB9QMEAAAAAfkDBAAAAAEBCAAAbwAwAQgAAG8AMAiuAwEA6gUAIbYDAgC8BQAh0QMBAPEFACHnAwEA8QUAIeoDAQDxBQAh9AMEAL0FACH1AwQA1AUAIfkDBAC9BQAhAgAAAGUAIAgAAHIAIAiuAwEA6gUAIbYDAgC8BQAh0QMBAPEFACHnAwEA8QUAIeoDAQDxBQAh9AMEAL0FACH1AwQA1AUAIfkDBAC9BQAhAgAAAGgAIAgAAHQAIAIAAABoACAIAAB0ACADAAAAZQAgDwAAbQAgEAAAcgAgAQAAAGUAIAEAAABoACAHFQAAoAYAIBYAAKEGACAXAACkBgAgGAAAowYAIBkAAKIGACCuAwAAzQUAIPUDAADNBQAgC4wDAACsBQAwjQMAAHsAEI4DAACsBQAwrgMBAIMFACG2AwIA2gQAIdEDAQCRBQAh5wMBAJEFACHqAwEAkQUAIfQDBADbBAAh9QMEAPAEACH5AwQA2wQAIQMAAABoACADAAB6ADAUAAB7ACADAAAAaAAgAwAAaQAwBAAAZQAgGIwDAACqBQAwjQMAAIEBABCOAwAAqgUAMK4DAQCMBQAhtgMCAAAAAcgDAQCVBQAh5gMBAJUFACHnAwEAlQUAIegDAQCMBQAh6gMBAJUFACHrAwgAqwUAIewDAQCVBQAh7QMBAIwFACHuAwQA4wQAIe8DBADjBAAh8AMCAOIEACHxAwIA4gQAIfIDAgDiBAAh8wMBAJUFACH0AwQA4wQAIfUDBAD5BAAh9gMBAIwFACH3AwEAjAUAIfgDAQCVBQAhAQAAAH4AIAEAAAB-ACAYjAMAAKoFADCNAwAAgQEAEI4DAACqBQAwrgMBAIwFACG2AwIA4gQAIcgDAQCVBQAh5gMBAJUFACHnAwEAlQUAIegDAQCMBQAh6gMBAJUFACHrAwgAqwUAIewDAQCVBQAh7QMBAIwFACHuAwQA4wQAIe8DBADjBAAh8AMCAOIEACHxAwIA4gQAIfIDAgDiBAAh8wMBAJUFACH0AwQA4wQAIfUDBAD5BAAh9gMBAIwFACH3AwEAjAUAIfgDAQCVBQAhBq4DAADNBQAg6AMAAM0FACDtAwAAzQUAIPUDAADNBQAg9gMAAM0FACD3AwAAzQUAIAMAAACBAQAgAwAAggEAMAQAAH4AIAMAAACBAQAgAwAAggEAMAQAAH4AIAMAAACBAQAgAwAAggEAMAQAAH4AIBWuAwEAAAABtgMCAAAAAcgDAQAAAAHmAwEAAAAB5wMBAAAAAegDAQAAAAHqAwEAAAAB6wMIAAAAAewDAQAAAAHtAwEAAAAB7gMEAAAAAe8DBAAAAAHwAwIAAAAB8QMCAAAAAfIDAgAAAAHzAwEAAAAB9AMEAAAAAfUDBAAAAAH2AwEAAAAB9wMBAAAAAfgDAQAAAAEBCAAAhgEAIBWuAwEAAAABtgMCAAAAAcgDAQAAAAHmAwEAAAAB5wMBAAAAAegDAQAAAAHqAwEAAAAB6wMIAAAAAewDAQAAAAHtAwEAAAAB7gMEAAAAAe8DBAAAAAHwAwIAAAAB8QMCAAAAAfIDAgAAAAHzAwEAAAAB9AMEAAAAAfUDBAAAAAH2AwEAAAAB9wMBAAAAAfgDAQAAAAEBCAAAiAEAMAEIAACIAQAwFa4DAQDqBQAhtgMCALwFACHIAwEA8QUAIeYDAQDxBQAh5wMBAPEFACHoAwEA6gUAIeoDAQDxBQAh6wMIAJ8GACHsAwEA8QUAIe0DAQDqBQAh7gMEAL0FACHvAwQAvQUAIfADAgC8BQAh8QMCALwFACHyAwIAvAUAIfMDAQDxBQAh9AMEAL0FACH1AwQA1AUAIfYDAQDqBQAh9wMBAOoFACH4AwEA8QUAIQIAAAB-ACAIAACLAQAgFa4DAQDqBQAhtgMCALwFACHIAwEA8QUAIeYDAQDxBQAh5wMBAPEFACHoAwEA6gUAIeoDAQDxBQAh6wMIAJ8GACHsAwEA8QUAIe0DAQDqBQAh7gMEAL0FACHvAwQAvQUAIfADAgC8BQAh8QMCALwFACHyAwIAvAUAIfMDAQDxBQAh9AMEAL0FACH1AwQA1AUAIfYDAQDqBQAh9wMBAOoFACH4AwEA8QUAIQIAAACBAQAgCAAAjQEAIAIAAACBAQAgCAAAjQEAIAMAAAB-ACAPAACGAQAgEAAAiwEAIAEAAAB-ACABAAAAgQEAIAsVAACaBgAgFgAAmwYAIBcAAJ4GACAYAACdBgAgGQAAnAYAIK4DAADNBQAg6AMAAM0FACDtAwAAzQUAIPUDAADNBQAg9gMAAM0FACD3AwAAzQUAIBiMAwAApwUAMI0DAACUAQAQjgMAAKcFADCuAwEAgwUAIbYDAgDaBAAhyAMBAJEFACHmAwEAkQUAIecDAQCRBQAh6AMBAIMFACHqAwEAkQUAIesDCACoBQAh7AMBAJEFACHtAwEAgwUAIe4DBADbBAAh7wMEANsEACHwAwIA2gQAIfEDAgDaBAAh8gMCANoEACHzAwEAkQUAIfQDBADbBAAh9QMEAPAEACH2AwEAgwUAIfcDAQCDBQAh-AMBAJEFACEDAAAAgQEAIAMAAJMBADAUAACUAQAgAwAAAIEBACADAACCAQAwBAAAfgAgCowDAACmBQAwjQMAAJoBABCOAwAApgUAMK4DAQCMBQAhtgMBAAAAAbgDBADjBAAh5AMEAOMEACHnAwEAlQUAIegDAQCVBQAh6QMCAOIEACEBAAAAlwEAIAEAAACXAQAgCowDAACmBQAwjQMAAJoBABCOAwAApgUAMK4DAQCMBQAhtgMBAJUFACG4AwQA4wQAIeQDBADjBAAh5wMBAJUFACHoAwEAlQUAIekDAgDiBAAhAa4DAADNBQAgAwAAAJoBACADAACbAQAwBAAAlwEAIAMAAACaAQAgAwAAmwEAMAQAAJcBACADAAAAmgEAIAMAAJsBADAEAACXAQAgB64DAQAAAAG2AwEAAAABuAMEAAAAAeQDBAAAAAHnAwEAAAAB6AMBAAAAAekDAgAAAAEBCAAAnwEAIAeuAwEAAAABtgMBAAAAAbgDBAAAAAHkAwQAAAAB5wMBAAAAAegDAQAAAAHpAwIAAAABAQgAAKEBADABCAAAoQEAMAeuAwEA6gUAIbYDAQDxBQAhuAMEAL0FACHkAwQAvQUAIecDAQDxBQAh6AMBAPEFACHpAwIAvAUAIQIAAACXAQAgCAAApAEAIAeuAwEA6gUAIbYDAQDxBQAhuAMEAL0FACHkAwQAvQUAIecDAQDxBQAh6AMBAPEFACHpAwIAvAUAIQIAAACaAQAgCAAApgEAIAIAAACaAQAgCAAApgEAIAMAAACXAQAgDwAAnwEAIBAAAKQBACABAAAAlwEAIAEAAACaAQAgBhUAAJUGACAWAACWBgAgFwAAmQYAIBgAAJgGACAZAACXBgAgrgMAAM0FACAKjAMAAKUFADCNAwAArQEAEI4DAAClBQAwrgMBAIMFACG2AwEAkQUAIbgDBADbBAAh5AMEANsEACHnAwEAkQUAIegDAQCRBQAh6QMCANoEACEDAAAAmgEAIAMAAKwBADAUAACtAQAgAwAAAJoBACADAACbAQAwBAAAlwEAIAgIAAH4BAAhjAMAAKQFADCNAwAAswEAEI4DAACkBQAwrgMCAOIEACGvAwIA4gQAIccDAgDiBAAh5gMCAAAAAQEAAACwAQAgAQAAALABACAICAAB-AQAIYwDAACkBQAwjQMAALMBABCOAwAApAUAMK4DAgDiBAAhrwMCAOIEACHHAwIA4gQAIeYDAgDiBAAhAAMAAACzAQAgAwAAtAEAMAQAALABACADAAAAswEAIAMAALQBADAEAACwAQAgAwAAALMBACADAAC0AQAwBAAAsAEAIAUIAAEAAAGuAwIAAAABrwMCAAAAAccDAgAAAAHmAwIAAAABAQgAALgBACAFCAABAAABrgMCAAAAAa8DAgAAAAHHAwIAAAAB5gMCAAAAAQEIAAC6AQAwAQgAALoBADAFCAAB0wUAIa4DAgC8BQAhrwMCALwFACHHAwIAvAUAIeYDAgC8BQAhAgAAALABACAIAAC9AQAgBQgAAdMFACGuAwIAvAUAIa8DAgC8BQAhxwMCALwFACHmAwIAvAUAIQIAAACzAQAgCAAAvwEAIAIAAACzAQAgCAAAvwEAIAMAAACwAQAgDwAAuAEAIBAAAL0BACABAAAAsAEAIAEAAACzAQAgBRUAAJAGACAWAACRBgAgFwAAlAYAIBgAAJMGACAZAACSBgAgCAgAAe8EACGMAwAAowUAMI0DAADGAQAQjgMAAKMFADCuAwIA2gQAIa8DAgDaBAAhxwMCANoEACHmAwIA2gQAIQMAAACzAQAgAwAAxQEAMBQAAMYBACADAAAAswEAIAMAALQBADAEAACwAQAgCYwDAACiBQAwjQMAAMwBABCOAwAAogUAMK8DAgDiBAAhtgMCAAAAAeIDAgDiBAAh4wMCAOIEACHkAwIA4gQAIeUDAAH4BAAhAQAAAMkBACABAAAAyQEAIAmMAwAAogUAMI0DAADMAQAQjgMAAKIFADCvAwIA4gQAIbYDAgDiBAAh4gMCAOIEACHjAwIA4gQAIeQDAgDiBAAh5QMAAfgEACEAAwAAAMwBACADAADNAQAwBAAAyQEAIAMAAADMAQAgAwAAzQEAMAQAAMkBACADAAAAzAEAIAMAAM0BADAEAADJAQAgBq8DAgAAAAG2AwIAAAAB4gMCAAAAAeMDAgAAAAHkAwIAAAAB5QMAAQAAAQEIAADRAQAgBq8DAgAAAAG2AwIAAAAB4gMCAAAAAeMDAgAAAAHkAwIAAAAB5QMAAQAAAQEIAADTAQAwAQgAANMBADAGrwMCALwFACG2AwIAvAUAIeIDAgC8BQAh4wMCALwFACHkAwIAvAUAIeUDAAHTBQAhAgAAAMkBACAIAADWAQAgBq8DAgC8BQAhtgMCALwFACHiAwIAvAUAIeMDAgC8BQAh5AMCALwFACHlAwAB0wUAIQIAAADMAQAgCAAA2AEAIAIAAADMAQAgCAAA2AEAIAMAAADJAQAgDwAA0QEAIBAAANYBACABAAAAyQEAIAEAAADMAQAgBRUAAIsGACAWAACMBgAgFwAAjwYAIBgAAI4GACAZAACNBgAgCYwDAAChBQAwjQMAAN8BABCOAwAAoQUAMK8DAgDaBAAhtgMCANoEACHiAwIA2gQAIeMDAgDaBAAh5AMCANoEACHlAwAB7wQAIQMAAADMAQAgAwAA3gEAMBQAAN8BACADAAAAzAEAIAMAAM0BADAEAADJAQAgBQgAAfgEACGMAwAAoAUAMI0DAADlAQAQjgMAAKAFADC2AwIAAAABAQAAAOIBACABAAAA4gEAIAUIAAH4BAAhjAMAAKAFADCNAwAA5QEAEI4DAACgBQAwtgMCAOIEACEAAwAAAOUBACADAADmAQAwBAAA4gEAIAMAAADlAQAgAwAA5gEAMAQAAOIBACADAAAA5QEAIAMAAOYBADAEAADiAQAgAggAAQAAAbYDAgAAAAEBCAAA6gEAIAIIAAEAAAG2AwIAAAABAQgAAOwBADABCAAA7AEAMAIIAAHTBQAhtgMCALwFACECAAAA4gEAIAgAAO8BACACCAAB0wUAIbYDAgC8BQAhAgAAAOUBACAIAADxAQAgAgAAAOUBACAIAADxAQAgAwAAAOIBACAPAADqAQAgEAAA7wEAIAEAAADiAQAgAQAAAOUBACAFFQAAhgYAIBYAAIcGACAXAACKBgAgGAAAiQYAIBkAAIgGACAFCAAB7wQAIYwDAACfBQAwjQMAAPgBABCOAwAAnwUAMLYDAgDaBAAhAwAAAOUBACADAAD3AQAwFAAA-AEAIAMAAADlAQAgAwAA5gEAMAQAAOIBACAGjAMAAJ4FADCNAwAA_gEAEI4DAACeBQAwrgMCAAAAAeADAgDiBAAh4QMCAOIEACEBAAAA-wEAIAEAAAD7AQAgBowDAACeBQAwjQMAAP4BABCOAwAAngUAMK4DAgDiBAAh4AMCAOIEACHhAwIA4gQAIQADAAAA_gEAIAMAAP8BADAEAAD7AQAgAwAAAP4BACADAAD_AQAwBAAA-wEAIAMAAAD-AQAgAwAA_wEAMAQAAPsBACADrgMCAAAAAeADAgAAAAHhAwIAAAABAQgAAIMCACADrgMCAAAAAeADAgAAAAHhAwIAAAABAQgAAIUCADABCAAAhQIAMAOuAwIAvAUAIeADAgC8BQAh4QMCALwFACECAAAA-wEAIAgAAIgCACADrgMCALwFACHgAwIAvAUAIeEDAgC8BQAhAgAAAP4BACAIAACKAgAgAgAAAP4BACAIAACKAgAgAwAAAPsBACAPAACDAgAgEAAAiAIAIAEAAAD7AQAgAQAAAP4BACAFFQAAgQYAIBYAAIIGACAXAACFBgAgGAAAhAYAIBkAAIMGACAGjAMAAJ0FADCNAwAAkQIAEI4DAACdBQAwrgMCANoEACHgAwIA2gQAIeEDAgDaBAAhAwAAAP4BACADAACQAgAwFAAAkQIAIAMAAAD-AQAgAwAA_wEAMAQAAPsBACAGjAMAAJwFADCNAwAAlwIAEI4DAACcBQAwtgMCAAAAAd4DAQAAAAHfAwEAlQUAIQEAAACUAgAgAQAAAJQCACAGjAMAAJwFADCNAwAAlwIAEI4DAACcBQAwtgMCAOIEACHeAwEAlQUAId8DAQCVBQAhAAMAAACXAgAgAwAAmAIAMAQAAJQCACADAAAAlwIAIAMAAJgCADAEAACUAgAgAwAAAJcCACADAACYAgAwBAAAlAIAIAO2AwIAAAAB3gMBAAAAAd8DAQAAAAEBCAAAnAIAIAO2AwIAAAAB3gMBAAAAAd8DAQAAAAEBCAAAngIAMAEIAACeAgAwA7YDAgC8BQAh3gMBAPEFACHfAwEA8QUAIQIAAACUAgAgCAAAoQIAIAO2AwIAvAUAId4DAQDxBQAh3wMBAPEFACECAAAAlwIAIAgAAKMCACACAAAAlwIAIAgAAKMCACADAAAAlAIAIA8AAJwCACAQAAChAgAgAQAAAJQCACABAAAAlwIAIAUVAAD8BQAgFgAA_QUAIBcAAIAGACAYAAD_BQAgGQAA_gUAIAaMAwAAmwUAMI0DAACqAgAQjgMAAJsFADC2AwIA2gQAId4DAQCRBQAh3wMBAJEFACEDAAAAlwIAIAMAAKkCADAUAACqAgAgAwAAAJcCACADAACYAgAwBAAAlAIAIAeMAwAAmQUAMI0DAACwAgAQjgMAAJkFADC2AwIAAAAByAMCAOIEACHcAwEAlQUAId0DAACaBQAgAQAAAK0CACABAAAArQIAIAaMAwAAmQUAMI0DAACwAgAQjgMAAJkFADC2AwIA4gQAIcgDAgDiBAAh3AMBAJUFACEAAwAAALACACADAACxAgAwBAAArQIAIAMAAACwAgAgAwAAsQIAMAQAAK0CACADAAAAsAIAIAMAALECADAEAACtAgAgA7YDAgAAAAHIAwIAAAAB3AMBAAAAAQEIAAC1AgAgA7YDAgAAAAHIAwIAAAAB3AMBAAAAAQEIAAC3AgAwAQgAALcCADADtgMCALwFACHIAwIAvAUAIdwDAQDxBQAhAgAAAK0CACAIAAC6AgAgA7YDAgC8BQAhyAMCALwFACHcAwEA8QUAIQIAAACwAgAgCAAAvAIAIAIAAACwAgAgCAAAvAIAIAMAAACtAgAgDwAAtQIAIBAAALoCACABAAAArQIAIAEAAACwAgAgBRUAAPcFACAWAAD4BQAgFwAA-wUAIBgAAPoFACAZAAD5BQAgBowDAACYBQAwjQMAAMMCABCOAwAAmAUAMLYDAgDaBAAhyAMCANoEACHcAwEAkQUAIQMAAACwAgAgAwAAwgIAMBQAAMMCACADAAAAsAIAIAMAALECADAEAACtAgAgFYwDAACXBQAwjQMAAMkCABCOAwAAlwUAMJEDAgDiBAAhmAMEAOMEACGeAwIA4gQAIa8DAgDiBAAhsgMCAOIEACGzAwIA4gQAIbYDAgAAAAHKAwEAlQUAIdEDAQAAAAHTAwEAjAUAIdQDAgDiBAAh1QMBAIwFACHWAwQA-QQAIdcDBAD5BAAh2AMCAOIEACHZAwIA4gQAIdoDAgDiBAAh2wMCAOIEACEBAAAAxgIAIAEAAADGAgAgFYwDAACXBQAwjQMAAMkCABCOAwAAlwUAMJEDAgDiBAAhmAMEAOMEACGeAwIA4gQAIa8DAgDiBAAhsgMCAOIEACGzAwIA4gQAIbYDAgDiBAAhygMBAJUFACHRAwEAlQUAIdMDAQCMBQAh1AMCAOIEACHVAwEAjAUAIdYDBAD5BAAh1wMEAPkEACHYAwIA4gQAIdkDAgDiBAAh2gMCAOIEACHbAwIA4gQAIQTTAwAAzQUAINUDAADNBQAg1gMAAM0FACDXAwAAzQUAIAMAAADJAgAgAwAAygIAMAQAAMYCACADAAAAyQIAIAMAAMoCADAEAADGAgAgAwAAAMkCACADAADKAgAwBAAAxgIAIBKRAwIAAAABmAMEAAAAAZ4DAgAAAAGvAwIAAAABsgMCAAAAAbMDAgAAAAG2AwIAAAABygMBAAAAAdEDAQAAAAHTAwEAAAAB1AMCAAAAAdUDAQAAAAHWAwQAAAAB1wMEAAAAAdgDAgAAAAHZAwIAAAAB2gMCAAAAAdsDAgAAAAEBCAAAzgIAIBKRAwIAAAABmAMEAAAAAZ4DAgAAAAGvAwIAAAABsgMCAAAAAbMDAgAAAAG2AwIAAAABygMBAAAAAdEDAQAAAAHTAwEAAAAB1AMCAAAAAdUDAQAAAAHWAwQAAAAB1wMEAAAAAdgDAgAAAAHZAwIAAAAB2gMCAAAAAdsDAgAAAAEBCAAA0AIAMAEIAADQAgAwEpEDAgC8BQAhmAMEAL0FACGeAwIAvAUAIa8DAgC8BQAhsgMCALwFACGzAwIAvAUAIbYDAgC8BQAhygMBAPEFACHRAwEA8QUAIdMDAQDqBQAh1AMCALwFACHVAwEA6gUAIdYDBADUBQAh1wMEANQFACHYAwIAvAUAIdkDAgC8BQAh2gMCALwFACHbAwIAvAUAIQIAAADGAgAgCAAA0wIAIBKRAwIAvAUAIZgDBAC9BQAhngMCALwFACGvAwIAvAUAIbIDAgC8BQAhswMCALwFACG2AwIAvAUAIcoDAQDxBQAh0QMBAPEFACHTAwEA6gUAIdQDAgC8BQAh1QMBAOoFACHWAwQA1AUAIdcDBADUBQAh2AMCALwFACHZAwIAvAUAIdoDAgC8BQAh2wMCALwFACECAAAAyQIAIAgAANUCACACAAAAyQIAIAgAANUCACADAAAAxgIAIA8AAM4CACAQAADTAgAgAQAAAMYCACABAAAAyQIAIAkVAADyBQAgFgAA8wUAIBcAAPYFACAYAAD1BQAgGQAA9AUAINMDAADNBQAg1QMAAM0FACDWAwAAzQUAINcDAADNBQAgFYwDAACWBQAwjQMAANwCABCOAwAAlgUAMJEDAgDaBAAhmAMEANsEACGeAwIA2gQAIa8DAgDaBAAhsgMCANoEACGzAwIA2gQAIbYDAgDaBAAhygMBAJEFACHRAwEAkQUAIdMDAQCDBQAh1AMCANoEACHVAwEAgwUAIdYDBADwBAAh1wMEAPAEACHYAwIA2gQAIdkDAgDaBAAh2gMCANoEACHbAwIA2gQAIQMAAADJAgAgAwAA2wIAMBQAANwCACADAAAAyQIAIAMAAMoCADAEAADGAgAgBYwDAACUBQAwjQMAAOICABCOAwAAlAUAMNEDAQAAAAHSAwQA4wQAIQEAAADfAgAgAQAAAN8CACAFjAMAAJQFADCNAwAA4gIAEI4DAACUBQAw0QMBAJUFACHSAwQA4wQAIQADAAAA4gIAIAMAAOMCADAEAADfAgAgAwAAAOICACADAADjAgAwBAAA3wIAIAMAAADiAgAgAwAA4wIAMAQAAN8CACAC0QMBAAAAAdIDBAAAAAEBCAAA5wIAIALRAwEAAAAB0gMEAAAAAQEIAADpAgAwAQgAAOkCADAC0QMBAPEFACHSAwQAvQUAIQIAAADfAgAgCAAA7AIAIALRAwEA8QUAIdIDBAC9BQAhAgAAAOICACAIAADuAgAgAgAAAOICACAIAADuAgAgAwAAAN8CACAPAADnAgAgEAAA7AIAIAEAAADfAgAgAQAAAOICACAFFQAA7AUAIBYAAO0FACAXAADwBQAgGAAA7wUAIBkAAO4FACAFjAMAAJAFADCNAwAA9QIAEI4DAACQBQAw0QMBAJEFACHSAwQA2wQAIQMAAADiAgAgAwAA9AIAMBQAAPUCACADAAAA4gIAIAMAAOMCADAEAADfAgAgEIwDAACKBQAwjQMAAPsCABCOAwAAigUAMK4DAgDiBAAhtgMCAAAAAbgDBAD5BAAhwQMCAIsFACHCAwIAiwUAIcMDAgCLBQAhxwMCAOIEACHIAwIA4gQAIckDAgCLBQAhygMBAIwFACHLAwABjQUAIc8DAACOBQAg0AMAAI8FACABAAAA-AIAIAEAAAD4AgAgDowDAACKBQAwjQMAAPsCABCOAwAAigUAMK4DAgDiBAAhtgMCAOIEACG4AwQA-QQAIcEDAgCLBQAhwgMCAIsFACHDAwIAiwUAIccDAgDiBAAhyAMCAOIEACHJAwIAiwUAIcoDAQCMBQAhywMAAY0FACEHuAMAAM0FACDBAwAAzQUAIMIDAADNBQAgwwMAAM0FACDJAwAAzQUAIMoDAADNBQAgywMAAM0FACADAAAA-wIAIAMAAPwCADAEAAD4AgAgAwAAAPsCACADAAD8AgAwBAAA-AIAIAMAAAD7AgAgAwAA_AIAMAQAAPgCACALrgMCAAAAAbYDAgAAAAG4AwQAAAABwQMCAAAAAcIDAgAAAAHDAwIAAAABxwMCAAAAAcgDAgAAAAHJAwIAAAABygMBAAAAAcsDAAEAAAEBCAAAgAMAIAuuAwIAAAABtgMCAAAAAbgDBAAAAAHBAwIAAAABwgMCAAAAAcMDAgAAAAHHAwIAAAAByAMCAAAAAckDAgAAAAHKAwEAAAABywMAAQAAAQEIAACCAwAwAQgAAIIDADALrgMCALwFACG2AwIAvAUAIbgDBADUBQAhwQMCAOkFACHCAwIA6QUAIcMDAgDpBQAhxwMCALwFACHIAwIAvAUAIckDAgDpBQAhygMBAOoFACHLAwAB6wUAIQIAAAD4AgAgCAAAhQMAIAuuAwIAvAUAIbYDAgC8BQAhuAMEANQFACHBAwIA6QUAIcIDAgDpBQAhwwMCAOkFACHHAwIAvAUAIcgDAgC8BQAhyQMCAOkFACHKAwEA6gUAIcsDAAHrBQAhAgAAAPsCACAIAACHAwAgAgAAAPsCACAIAACHAwAgAwAAAPgCACAPAACAAwAgEAAAhQMAIAEAAAD4AgAgAQAAAPsCACAMFQAA5AUAIBYAAOUFACAXAADoBQAgGAAA5wUAIBkAAOYFACC4AwAAzQUAIMEDAADNBQAgwgMAAM0FACDDAwAAzQUAIMkDAADNBQAgygMAAM0FACDLAwAAzQUAIA6MAwAAgQUAMI0DAACOAwAQjgMAAIEFADCuAwIA2gQAIbYDAgDaBAAhuAMEAPAEACHBAwIAggUAIcIDAgCCBQAhwwMCAIIFACHHAwIA2gQAIcgDAgDaBAAhyQMCAIIFACHKAwEAgwUAIcsDAAGEBQAhAwAAAPsCACADAACNAwAwFAAAjgMAIAMAAAD7AgAgAwAA_AIAMAQAAPgCACAICAAB-AQAIYwDAACABQAwjQMAAJQDABCOAwAAgAUAMK4DAgDiBAAhtgMCAAAAAcUDAgDiBAAhxgMAAfgEACEBAAAAkQMAIAEAAACRAwAgCAgAAfgEACGMAwAAgAUAMI0DAACUAwAQjgMAAIAFADCuAwIA4gQAIbYDAgDiBAAhxQMCAOIEACHGAwAB-AQAIQADAAAAlAMAIAMAAJUDADAEAACRAwAgAwAAAJQDACADAACVAwAwBAAAkQMAIAMAAACUAwAgAwAAlQMAMAQAAJEDACAFCAABAAABrgMCAAAAAbYDAgAAAAHFAwIAAAABxgMAAQAAAQEIAACZAwAgBQgAAQAAAa4DAgAAAAG2AwIAAAABxQMCAAAAAcYDAAEAAAEBCAAAmwMAMAEIAACbAwAwBQgAAdMFACGuAwIAvAUAIbYDAgC8BQAhxQMCALwFACHGAwAB0wUAIQIAAACRAwAgCAAAngMAIAUIAAHTBQAhrgMCALwFACG2AwIAvAUAIcUDAgC8BQAhxgMAAdMFACECAAAAlAMAIAgAAKADACACAAAAlAMAIAgAAKADACADAAAAkQMAIA8AAJkDACAQAACeAwAgAQAAAJEDACABAAAAlAMAIAUVAADfBQAgFgAA4AUAIBcAAOMFACAYAADiBQAgGQAA4QUAIAgIAAHvBAAhjAMAAP8EADCNAwAApwMAEI4DAAD_BAAwrgMCANoEACG2AwIA2gQAIcUDAgDaBAAhxgMAAe8EACEDAAAAlAMAIAMAAKYDADAUAACnAwAgAwAAAJQDACADAACVAwAwBAAAkQMAIAmMAwAA_gQAMI0DAACtAwAQjgMAAP4EADC2AwIAAAABwAMAAQAAAcEDAgDiBAAhwgMCAOIEACHDAwIA4gQAIcQDAgDiBAAhAQAAAKoDACABAAAAqgMAIAmMAwAA_gQAMI0DAACtAwAQjgMAAP4EADC2AwIA4gQAIcADAAH4BAAhwQMCAOIEACHCAwIA4gQAIcMDAgDiBAAhxAMCAOIEACEAAwAAAK0DACADAACuAwAwBAAAqgMAIAMAAACtAwAgAwAArgMAMAQAAKoDACADAAAArQMAIAMAAK4DADAEAACqAwAgBrYDAgAAAAHAAwABAAABwQMCAAAAAcIDAgAAAAHDAwIAAAABxAMCAAAAAQEIAACyAwAgBrYDAgAAAAHAAwABAAABwQMCAAAAAcIDAgAAAAHDAwIAAAABxAMCAAAAAQEIAAC0AwAwAQgAALQDADAGtgMCALwFACHAAwAB0wUAIcEDAgC8BQAhwgMCALwFACHDAwIAvAUAIcQDAgC8BQAhAgAAAKoDACAIAAC3AwAgBrYDAgC8BQAhwAMAAdMFACHBAwIAvAUAIcIDAgC8BQAhwwMCALwFACHEAwIAvAUAIQIAAACtAwAgCAAAuQMAIAIAAACtAwAgCAAAuQMAIAMAAACqAwAgDwAAsgMAIBAAALcDACABAAAAqgMAIAEAAACtAwAgBRUAANoFACAWAADbBQAgFwAA3gUAIBgAAN0FACAZAADcBQAgCYwDAAD9BAAwjQMAAMADABCOAwAA_QQAMLYDAgDaBAAhwAMAAe8EACHBAwIA2gQAIcIDAgDaBAAhwwMCANoEACHEAwIA2gQAIQMAAACtAwAgAwAAvwMAMBQAAMADACADAAAArQMAIAMAAK4DADAEAACqAwAgBowDAAD7BAAwjQMAAMYDABCOAwAA-wQAMK4DAgDiBAAhvgMCAOIEACG_AwAA_AQAIAEAAADDAwAgAQAAAMMDACAFjAMAAPsEADCNAwAAxgMAEI4DAAD7BAAwrgMCAOIEACG-AwIA4gQAIQADAAAAxgMAIAMAAMcDADAEAADDAwAgAwAAAMYDACADAADHAwAwBAAAwwMAIAMAAADGAwAgAwAAxwMAMAQAAMMDACACrgMCAAAAAb4DAgAAAAEBCAAAywMAIAKuAwIAAAABvgMCAAAAAQEIAADNAwAwAQgAAM0DADACrgMCALwFACG-AwIAvAUAIQIAAADDAwAgCAAA0AMAIAKuAwIAvAUAIb4DAgC8BQAhAgAAAMYDACAIAADSAwAgAgAAAMYDACAIAADSAwAgAwAAAMMDACAPAADLAwAgEAAA0AMAIAEAAADDAwAgAQAAAMYDACAFFQAA1QUAIBYAANYFACAXAADZBQAgGAAA2AUAIBkAANcFACAFjAMAAPoEADCNAwAA2QMAEI4DAAD6BAAwrgMCANoEACG-AwIA2gQAIQMAAADGAwAgAwAA2AMAMBQAANkDACADAAAAxgMAIAMAAMcDADAEAADDAwAgG4wDAAD3BAAwjQMAAN8DABCOAwAA9wQAMJIDAgDiBAAhkwMCAOIEACGUAwIA4gQAIZUDAgDiBAAhlgMCAOIEACGYAwQA-QQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtgMCAAAAAbcDAAEAAAG4AwQA-QQAIbkDAgDiBAAhugMCAOIEACG7AwIA4gQAIbwDAgDiBAAhvQMCAOIEACEBAAAA3AMAIAEAAADcAwAgG4wDAAD3BAAwjQMAAN8DABCOAwAA9wQAMJIDAgDiBAAhkwMCAOIEACGUAwIA4gQAIZUDAgDiBAAhlgMCAOIEACGYAwQA-QQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtgMCAOIEACG3AwAB-AQAIbgDBAD5BAAhuQMCAOIEACG6AwIA4gQAIbsDAgDiBAAhvAMCAOIEACG9AwIA4gQAIQKYAwAAzQUAILgDAADNBQAgAwAAAN8DACADAADgAwAwBAAA3AMAIAMAAADfAwAgAwAA4AMAMAQAANwDACADAAAA3wMAIAMAAOADADAEAADcAwAgGJIDAgAAAAGTAwIAAAABlAMCAAAAAZUDAgAAAAGWAwIAAAABmAMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAG2AwIAAAABtwMAAQAAAbgDBAAAAAG5AwIAAAABugMCAAAAAbsDAgAAAAG8AwIAAAABvQMCAAAAAQEIAADkAwAgGJIDAgAAAAGTAwIAAAABlAMCAAAAAZUDAgAAAAGWAwIAAAABmAMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAG2AwIAAAABtwMAAQAAAbgDBAAAAAG5AwIAAAABugMCAAAAAbsDAgAAAAG8AwIAAAABvQMCAAAAAQEIAADmAwAwAQgAAOYDADAYkgMCALwFACGTAwIAvAUAIZQDAgC8BQAhlQMCALwFACGWAwIAvAUAIZgDBADUBQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGuAwIAvAUAIa8DAgC8BQAhsAMCALwFACGxAwIAvAUAIbIDAgC8BQAhswMCALwFACG2AwIAvAUAIbcDAAHTBQAhuAMEANQFACG5AwIAvAUAIboDAgC8BQAhuwMCALwFACG8AwIAvAUAIb0DAgC8BQAhAgAAANwDACAIAADpAwAgGJIDAgC8BQAhkwMCALwFACGUAwIAvAUAIZUDAgC8BQAhlgMCALwFACGYAwQA1AUAIZoDBAC9BQAhmwMEAL0FACGcAwQAvQUAIZ0DBAC9BQAhrgMCALwFACGvAwIAvAUAIbADAgC8BQAhsQMCALwFACGyAwIAvAUAIbMDAgC8BQAhtgMCALwFACG3AwAB0wUAIbgDBADUBQAhuQMCALwFACG6AwIAvAUAIbsDAgC8BQAhvAMCALwFACG9AwIAvAUAIQIAAADfAwAgCAAA6wMAIAIAAADfAwAgCAAA6wMAIAMAAADcAwAgDwAA5AMAIBAAAOkDACABAAAA3AMAIAEAAADfAwAgBxUAAM4FACAWAADPBQAgFwAA0gUAIBgAANEFACAZAADQBQAgmAMAAM0FACC4AwAAzQUAIBuMAwAA7gQAMI0DAADyAwAQjgMAAO4EADCSAwIA2gQAIZMDAgDaBAAhlAMCANoEACGVAwIA2gQAIZYDAgDaBAAhmAMEAPAEACGaAwQA2wQAIZsDBADbBAAhnAMEANsEACGdAwQA2wQAIa4DAgDaBAAhrwMCANoEACGwAwIA2gQAIbEDAgDaBAAhsgMCANoEACGzAwIA2gQAIbYDAgDaBAAhtwMAAe8EACG4AwQA8AQAIbkDAgDaBAAhugMCANoEACG7AwIA2gQAIbwDAgDaBAAhvQMCANoEACEDAAAA3wMAIAMAAPEDADAUAADyAwAgAwAAAN8DACADAADgAwAwBAAA3AMAIBuMAwAA7AQAMI0DAAD4AwAQjgMAAOwEADCPAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtQMAAO0EACABAAAA9QMAIAEAAAD1AwAgGowDAADsBAAwjQMAAPgDABCOAwAA7AQAMI8DAgDiBAAhkQMCAOIEACGSAwQA4wQAIZMDBADjBAAhlAMEAOMEACGVAwQA4wQAIZYDBADjBAAhlwMEAOMEACGYAwQA4wQAIZkDBADjBAAhmgMEAOMEACGbAwQA4wQAIZwDBADjBAAhnQMEAOMEACGeAwIA4gQAIZ8DAgDiBAAhoAMEAOMEACGuAwIA4gQAIa8DAgDiBAAhsAMCAOIEACGxAwIA4gQAIbIDAgDiBAAhswMCAOIEACEAAwAAAPgDACADAAD5AwAwBAAA9QMAIAMAAAD4AwAgAwAA-QMAMAQAAPUDACADAAAA-AMAIAMAAPkDADAEAAD1AwAgF48DAgAAAAGRAwIAAAABkgMEAAAAAZMDBAAAAAGUAwQAAAABlQMEAAAAAZYDBAAAAAGXAwQAAAABmAMEAAAAAZkDBAAAAAGaAwQAAAABmwMEAAAAAZwDBAAAAAGdAwQAAAABngMCAAAAAZ8DAgAAAAGgAwQAAAABrgMCAAAAAa8DAgAAAAGwAwIAAAABsQMCAAAAAbIDAgAAAAGzAwIAAAABAQgAAP0DACAXjwMCAAAAAZEDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAEBCAAA_wMAMAEIAAD_AwAwF48DAgC8BQAhkQMCALwFACGSAwQAvQUAIZMDBAC9BQAhlAMEAL0FACGVAwQAvQUAIZYDBAC9BQAhlwMEAL0FACGYAwQAvQUAIZkDBAC9BQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGeAwIAvAUAIZ8DAgC8BQAhoAMEAL0FACGuAwIAvAUAIa8DAgC8BQAhsAMCALwFACGxAwIAvAUAIbIDAgC8BQAhswMCALwFACECAAAA9QMAIAgAAIIEACAXjwMCALwFACGRAwIAvAUAIZIDBAC9BQAhkwMEAL0FACGUAwQAvQUAIZUDBAC9BQAhlgMEAL0FACGXAwQAvQUAIZgDBAC9BQAhmQMEAL0FACGaAwQAvQUAIZsDBAC9BQAhnAMEAL0FACGdAwQAvQUAIZ4DAgC8BQAhnwMCALwFACGgAwQAvQUAIa4DAgC8BQAhrwMCALwFACGwAwIAvAUAIbEDAgC8BQAhsgMCALwFACGzAwIAvAUAIQIAAAD4AwAgCAAAhAQAIAIAAAD4AwAgCAAAhAQAIAMAAAD1AwAgDwAA_QMAIBAAAIIEACABAAAA9QMAIAEAAAD4AwAgBRUAAMgFACAWAADJBQAgFwAAzAUAIBgAAMsFACAZAADKBQAgGowDAADrBAAwjQMAAIsEABCOAwAA6wQAMI8DAgDaBAAhkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACGuAwIA2gQAIa8DAgDaBAAhsAMCANoEACGxAwIA2gQAIbIDAgDaBAAhswMCANoEACEDAAAA-AMAIAMAAIoEADAUAACLBAAgAwAAAPgDACADAAD5AwAwBAAA9QMAIBuMAwAA6QQAMI0DAACRBAAQjgMAAOkEADCRAwIA4gQAIZIDBADjBAAhkwMEAOMEACGUAwQA4wQAIZUDBADjBAAhlgMEAOMEACGXAwQA4wQAIZgDBADjBAAhmQMEAOMEACGaAwQA4wQAIZsDBADjBAAhnAMEAOMEACGdAwQA4wQAIZ4DAgDiBAAhnwMCAOIEACGgAwQA4wQAIasDAgDiBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtAMAAOoEACABAAAAjgQAIAEAAACOBAAgGowDAADpBAAwjQMAAJEEABCOAwAA6QQAMJEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhqwMCAOIEACGuAwIA4gQAIa8DAgDiBAAhsAMCAOIEACGxAwIA4gQAIbIDAgDiBAAhswMCAOIEACEAAwAAAJEEACADAACSBAAwBAAAjgQAIAMAAACRBAAgAwAAkgQAMAQAAI4EACADAAAAkQQAIAMAAJIEADAEAACOBAAgF5EDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAGrAwIAAAABrgMCAAAAAa8DAgAAAAGwAwIAAAABsQMCAAAAAbIDAgAAAAGzAwIAAAABAQgAAJYEACAXkQMCAAAAAZIDBAAAAAGTAwQAAAABlAMEAAAAAZUDBAAAAAGWAwQAAAABlwMEAAAAAZgDBAAAAAGZAwQAAAABmgMEAAAAAZsDBAAAAAGcAwQAAAABnQMEAAAAAZ4DAgAAAAGfAwIAAAABoAMEAAAAAasDAgAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAEBCAAAmAQAMAEIAACYBAAwF5EDAgC8BQAhkgMEAL0FACGTAwQAvQUAIZQDBAC9BQAhlQMEAL0FACGWAwQAvQUAIZcDBAC9BQAhmAMEAL0FACGZAwQAvQUAIZoDBAC9BQAhmwMEAL0FACGcAwQAvQUAIZ0DBAC9BQAhngMCALwFACGfAwIAvAUAIaADBAC9BQAhqwMCALwFACGuAwIAvAUAIa8DAgC8BQAhsAMCALwFACGxAwIAvAUAIbIDAgC8BQAhswMCALwFACECAAAAjgQAIAgAAJsEACAXkQMCALwFACGSAwQAvQUAIZMDBAC9BQAhlAMEAL0FACGVAwQAvQUAIZYDBAC9BQAhlwMEAL0FACGYAwQAvQUAIZkDBAC9BQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGeAwIAvAUAIZ8DAgC8BQAhoAMEAL0FACGrAwIAvAUAIa4DAgC8BQAhrwMCALwFACGwAwIAvAUAIbEDAgC8BQAhsgMCALwFACGzAwIAvAUAIQIAAACRBAAgCAAAnQQAIAIAAACRBAAgCAAAnQQAIAMAAACOBAAgDwAAlgQAIBAAAJsEACABAAAAjgQAIAEAAACRBAAgBRUAAMMFACAWAADEBQAgFwAAxwUAIBgAAMYFACAZAADFBQAgGowDAADoBAAwjQMAAKQEABCOAwAA6AQAMJEDAgDaBAAhkgMEANsEACGTAwQA2wQAIZQDBADbBAAhlQMEANsEACGWAwQA2wQAIZcDBADbBAAhmAMEANsEACGZAwQA2wQAIZoDBADbBAAhmwMEANsEACGcAwQA2wQAIZ0DBADbBAAhngMCANoEACGfAwIA2gQAIaADBADbBAAhqwMCANoEACGuAwIA2gQAIa8DAgDaBAAhsAMCANoEACGxAwIA2gQAIbIDAgDaBAAhswMCANoEACEDAAAAkQQAIAMAAKMEADAUAACkBAAgAwAAAJEEACADAACSBAAwBAAAjgQAIBiMAwAA5gQAMI0DAACqBAAQjgMAAOYEADCQAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhqgMCAOIEACGrAwIA4gQAIawDAgDiBAAhrQMAAOcEACABAAAApwQAIAEAAACnBAAgF4wDAADmBAAwjQMAAKoEABCOAwAA5gQAMJADAgDiBAAhkQMCAOIEACGSAwQA4wQAIZMDBADjBAAhlAMEAOMEACGVAwQA4wQAIZYDBADjBAAhlwMEAOMEACGYAwQA4wQAIZkDBADjBAAhmgMEAOMEACGbAwQA4wQAIZwDBADjBAAhnQMEAOMEACGeAwIA4gQAIZ8DAgDiBAAhoAMEAOMEACGqAwIA4gQAIasDAgDiBAAhrAMCAOIEACEAAwAAAKoEACADAACrBAAwBAAApwQAIAMAAACqBAAgAwAAqwQAMAQAAKcEACADAAAAqgQAIAMAAKsEADAEAACnBAAgFJADAgAAAAGRAwIAAAABkgMEAAAAAZMDBAAAAAGUAwQAAAABlQMEAAAAAZYDBAAAAAGXAwQAAAABmAMEAAAAAZkDBAAAAAGaAwQAAAABmwMEAAAAAZwDBAAAAAGdAwQAAAABngMCAAAAAZ8DAgAAAAGgAwQAAAABqgMCAAAAAasDAgAAAAGsAwIAAAABAQgAAK8EACAUkAMCAAAAAZEDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAGqAwIAAAABqwMCAAAAAawDAgAAAAEBCAAAsQQAMAEIAACxBAAwFJADAgC8BQAhkQMCALwFACGSAwQAvQUAIZMDBAC9BQAhlAMEAL0FACGVAwQAvQUAIZYDBAC9BQAhlwMEAL0FACGYAwQAvQUAIZkDBAC9BQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGeAwIAvAUAIZ8DAgC8BQAhoAMEAL0FACGqAwIAvAUAIasDAgC8BQAhrAMCALwFACECAAAApwQAIAgAALQEACAUkAMCALwFACGRAwIAvAUAIZIDBAC9BQAhkwMEAL0FACGUAwQAvQUAIZUDBAC9BQAhlgMEAL0FACGXAwQAvQUAIZgDBAC9BQAhmQMEAL0FACGaAwQAvQUAIZsDBAC9BQAhnAMEAL0FACGdAwQAvQUAIZ4DAgC8BQAhnwMCALwFACGgAwQAvQUAIaoDAgC8BQAhqwMCALwFACGsAwIAvAUAIQIAAACqBAAgCAAAtgQAIAIAAACqBAAgCAAAtgQAIAMAAACnBAAgDwAArwQAIBAAALQEACABAAAApwQAIAEAAACqBAAgBRUAAL4FACAWAAC_BQAgFwAAwgUAIBgAAMEFACAZAADABQAgF4wDAADlBAAwjQMAAL0EABCOAwAA5QQAMJADAgDaBAAhkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACGqAwIA2gQAIasDAgDaBAAhrAMCANoEACEDAAAAqgQAIAMAALwEADAUAAC9BAAgAwAAAKoEACADAACrBAAwBAAApwQAIBaMAwAA4QQAMI0DAADDBAAQjgMAAOEEADCPAwIA4gQAIZADAgDiBAAhkQMCAOIEACGSAwQA4wQAIZMDBADjBAAhlAMEAOMEACGVAwQA4wQAIZYDBADjBAAhlwMEAOMEACGYAwQA4wQAIZkDBADjBAAhmgMEAOMEACGbAwQA4wQAIZwDBADjBAAhnQMEAOMEACGeAwIA4gQAIZ8DAgDiBAAhoAMEAOMEACGpAwAA5AQAIAEAAADABAAgAQAAAMAEACAVjAMAAOEEADCNAwAAwwQAEI4DAADhBAAwjwMCAOIEACGQAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhAAMAAADDBAAgAwAAxAQAMAQAAMAEACADAAAAwwQAIAMAAMQEADAEAADABAAgAwAAAMMEACADAADEBAAwBAAAwAQAIBKPAwIAAAABkAMCAAAAAZEDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAEBCAAAyAQAIBKPAwIAAAABkAMCAAAAAZEDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAEBCAAAygQAMAEIAADKBAAwEo8DAgC8BQAhkAMCALwFACGRAwIAvAUAIZIDBAC9BQAhkwMEAL0FACGUAwQAvQUAIZUDBAC9BQAhlgMEAL0FACGXAwQAvQUAIZgDBAC9BQAhmQMEAL0FACGaAwQAvQUAIZsDBAC9BQAhnAMEAL0FACGdAwQAvQUAIZ4DAgC8BQAhnwMCALwFACGgAwQAvQUAIQIAAADABAAgCAAAzQQAIBKPAwIAvAUAIZADAgC8BQAhkQMCALwFACGSAwQAvQUAIZMDBAC9BQAhlAMEAL0FACGVAwQAvQUAIZYDBAC9BQAhlwMEAL0FACGYAwQAvQUAIZkDBAC9BQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGeAwIAvAUAIZ8DAgC8BQAhoAMEAL0FACECAAAAwwQAIAgAAM8EACACAAAAwwQAIAgAAM8EACADAAAAwAQAIA8AAMgEACAQAADNBAAgAQAAAMAEACABAAAAwwQAIAUVAAC3BQAgFgAAuAUAIBcAALsFACAYAAC6BQAgGQAAuQUAIBWMAwAA2QQAMI0DAADWBAAQjgMAANkEADCPAwIA2gQAIZADAgDaBAAhkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACEDAAAAwwQAIAMAANUEADAUAADWBAAgAwAAAMMEACADAADEBAAwBAAAwAQAIBWMAwAA2QQAMI0DAADWBAAQjgMAANkEADCPAwIA2gQAIZADAgDaBAAhkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACENFQAA3QQAIBYAAN4EACAXAADdBAAgGAAA3QQAIBkAAN0EACChAwIAAAABogMCAAAABKMDAgAAAASkAwIAAAABpQMCAAAAAaYDAgAAAAGnAwIAAAABqAMCAOAEACENFQAA3QQAIBYAAN4EACAXAADfBAAgGAAA3wQAIBkAAN8EACChAwQAAAABogMEAAAABKMDBAAAAASkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEANwEACENFQAA3QQAIBYAAN4EACAXAADfBAAgGAAA3wQAIBkAAN8EACChAwQAAAABogMEAAAABKMDBAAAAASkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEANwEACEIoQMCAAAAAaIDAgAAAASjAwIAAAAEpAMCAAAAAaUDAgAAAAGmAwIAAAABpwMCAAAAAagDAgDdBAAhCKEDCAAAAAGiAwgAAAAEowMIAAAABKQDCAAAAAGlAwgAAAABpgMIAAAAAacDCAAAAAGoAwgA3gQAIQihAwQAAAABogMEAAAABKMDBAAAAASkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEAN8EACENFQAA3QQAIBYAAN4EACAXAADdBAAgGAAA3QQAIBkAAN0EACChAwIAAAABogMCAAAABKMDAgAAAASkAwIAAAABpQMCAAAAAaYDAgAAAAGnAwIAAAABqAMCAOAEACEVjAMAAOEEADCNAwAAwwQAEI4DAADhBAAwjwMCAOIEACGQAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhCKEDAgAAAAGiAwIAAAAEowMCAAAABKQDAgAAAAGlAwIAAAABpgMCAAAAAacDAgAAAAGoAwIA3QQAIQihAwQAAAABogMEAAAABKMDBAAAAASkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEAN8EACECjwMCAAAAAZADAgAAAAEXjAMAAOUEADCNAwAAvQQAEI4DAADlBAAwkAMCANoEACGRAwIA2gQAIZIDBADbBAAhkwMEANsEACGUAwQA2wQAIZUDBADbBAAhlgMEANsEACGXAwQA2wQAIZgDBADbBAAhmQMEANsEACGaAwQA2wQAIZsDBADbBAAhnAMEANsEACGdAwQA2wQAIZ4DAgDaBAAhnwMCANoEACGgAwQA2wQAIaoDAgDaBAAhqwMCANoEACGsAwIA2gQAIReMAwAA5gQAMI0DAACqBAAQjgMAAOYEADCQAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhqgMCAOIEACGrAwIA4gQAIawDAgDiBAAhBJADAgAAAAGqAwIAAAABqwMCAAAAAawDAgAAAAEajAMAAOgEADCNAwAApAQAEI4DAADoBAAwkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACGrAwIA2gQAIa4DAgDaBAAhrwMCANoEACGwAwIA2gQAIbEDAgDaBAAhsgMCANoEACGzAwIA2gQAIRqMAwAA6QQAMI0DAACRBAAQjgMAAOkEADCRAwIA4gQAIZIDBADjBAAhkwMEAOMEACGUAwQA4wQAIZUDBADjBAAhlgMEAOMEACGXAwQA4wQAIZgDBADjBAAhmQMEAOMEACGaAwQA4wQAIZsDBADjBAAhnAMEAOMEACGdAwQA4wQAIZ4DAgDiBAAhnwMCAOIEACGgAwQA4wQAIasDAgDiBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhB6sDAgAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAEajAMAAOsEADCNAwAAiwQAEI4DAADrBAAwjwMCANoEACGRAwIA2gQAIZIDBADbBAAhkwMEANsEACGUAwQA2wQAIZUDBADbBAAhlgMEANsEACGXAwQA2wQAIZgDBADbBAAhmQMEANsEACGaAwQA2wQAIZsDBADbBAAhnAMEANsEACGdAwQA2wQAIZ4DAgDaBAAhnwMCANoEACGgAwQA2wQAIa4DAgDaBAAhrwMCANoEACGwAwIA2gQAIbEDAgDaBAAhsgMCANoEACGzAwIA2gQAIRqMAwAA7AQAMI0DAAD4AwAQjgMAAOwEADCPAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhB48DAgAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAEbjAMAAO4EADCNAwAA8gMAEI4DAADuBAAwkgMCANoEACGTAwIA2gQAIZQDAgDaBAAhlQMCANoEACGWAwIA2gQAIZgDBADwBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGuAwIA2gQAIa8DAgDaBAAhsAMCANoEACGxAwIA2gQAIbIDAgDaBAAhswMCANoEACG2AwIA2gQAIbcDAAHvBAAhuAMEAPAEACG5AwIA2gQAIboDAgDaBAAhuwMCANoEACG8AwIA2gQAIb0DAgDaBAAhBxUAAN0EACAYAAD2BAAgGQAA9gQAIKEDAAEAAAGiAwABAAAEowMAAQAABKgDAAH1BAAhDRUAAPIEACAWAADzBAAgFwAA9AQAIBgAAPQEACAZAAD0BAAgoQMEAAAAAaIDBAAAAAWjAwQAAAAFpAMEAAAAAaUDBAAAAAGmAwQAAAABpwMEAAAAAagDBADxBAAhDRUAAPIEACAWAADzBAAgFwAA9AQAIBgAAPQEACAZAAD0BAAgoQMEAAAAAaIDBAAAAAWjAwQAAAAFpAMEAAAAAaUDBAAAAAGmAwQAAAABpwMEAAAAAagDBADxBAAhCKEDAgAAAAGiAwIAAAAFowMCAAAABaQDAgAAAAGlAwIAAAABpgMCAAAAAacDAgAAAAGoAwIA8gQAIQihAwgAAAABogMIAAAABaMDCAAAAAWkAwgAAAABpQMIAAAAAaYDCAAAAAGnAwgAAAABqAMIAPMEACEIoQMEAAAAAaIDBAAAAAWjAwQAAAAFpAMEAAAAAaUDBAAAAAGmAwQAAAABpwMEAAAAAagDBAD0BAAhBxUAAN0EACAYAAD2BAAgGQAA9gQAIKEDAAEAAAGiAwABAAAEowMAAQAABKgDAAH1BAAhBKEDAAEAAAGiAwABAAAEowMAAQAABKgDAAH2BAAhG4wDAAD3BAAwjQMAAN8DABCOAwAA9wQAMJIDAgDiBAAhkwMCAOIEACGUAwIA4gQAIZUDAgDiBAAhlgMCAOIEACGYAwQA-QQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtgMCAOIEACG3AwAB-AQAIbgDBAD5BAAhuQMCAOIEACG6AwIA4gQAIbsDAgDiBAAhvAMCAOIEACG9AwIA4gQAIQShAwABAAABogMAAQAABKMDAAEAAASoAwAB9gQAIQihAwQAAAABogMEAAAABaMDBAAAAAWkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEAPQEACEFjAMAAPoEADCNAwAA2QMAEI4DAAD6BAAwrgMCANoEACG-AwIA2gQAIQWMAwAA-wQAMI0DAADGAwAQjgMAAPsEADCuAwIA4gQAIb4DAgDiBAAhAq4DAgAAAAG-AwIAAAABCYwDAAD9BAAwjQMAAMADABCOAwAA_QQAMLYDAgDaBAAhwAMAAe8EACHBAwIA2gQAIcIDAgDaBAAhwwMCANoEACHEAwIA2gQAIQmMAwAA_gQAMI0DAACtAwAQjgMAAP4EADC2AwIA4gQAIcADAAH4BAAhwQMCAOIEACHCAwIA4gQAIcMDAgDiBAAhxAMCAOIEACEICAAB7wQAIYwDAAD_BAAwjQMAAKcDABCOAwAA_wQAMK4DAgDaBAAhtgMCANoEACHFAwIA2gQAIcYDAAHvBAAhCAgAAfgEACGMAwAAgAUAMI0DAACUAwAQjgMAAIAFADCuAwIA4gQAIbYDAgDiBAAhxQMCAOIEACHGAwAB-AQAIQ6MAwAAgQUAMI0DAACOAwAQjgMAAIEFADCuAwIA2gQAIbYDAgDaBAAhuAMEAPAEACHBAwIAggUAIcIDAgCCBQAhwwMCAIIFACHHAwIA2gQAIcgDAgDaBAAhyQMCAIIFACHKAwEAgwUAIcsDAAGEBQAhDRUAAPIEACAWAADzBAAgFwAA8gQAIBgAAPIEACAZAADyBAAgoQMCAAAAAaIDAgAAAAWjAwIAAAAFpAMCAAAAAaUDAgAAAAGmAwIAAAABpwMCAAAAAagDAgCJBQAhDhUAAPIEACAYAACIBQAgGQAAiAUAIKEDAQAAAAGiAwEAAAAFowMBAAAABaQDAQAAAAGlAwEAAAABpgMBAAAAAacDAQAAAAGoAwEAhwUAIcwDAQAAAAHNAwEAAAABzgMBAAAAAQcVAADyBAAgGAAAhgUAIBkAAIYFACChAwABAAABogMAAQAABaMDAAEAAAWoAwABhQUAIQcVAADyBAAgGAAAhgUAIBkAAIYFACChAwABAAABogMAAQAABaMDAAEAAAWoAwABhQUAIQShAwABAAABogMAAQAABaMDAAEAAAWoAwABhgUAIQ4VAADyBAAgGAAAiAUAIBkAAIgFACChAwEAAAABogMBAAAABaMDAQAAAAWkAwEAAAABpQMBAAAAAaYDAQAAAAGnAwEAAAABqAMBAIcFACHMAwEAAAABzQMBAAAAAc4DAQAAAAELoQMBAAAAAaIDAQAAAAWjAwEAAAAFpAMBAAAAAaUDAQAAAAGmAwEAAAABpwMBAAAAAagDAQCIBQAhzAMBAAAAAc0DAQAAAAHOAwEAAAABDRUAAPIEACAWAADzBAAgFwAA8gQAIBgAAPIEACAZAADyBAAgoQMCAAAAAaIDAgAAAAWjAwIAAAAFpAMCAAAAAaUDAgAAAAGmAwIAAAABpwMCAAAAAagDAgCJBQAhDowDAACKBQAwjQMAAPsCABCOAwAAigUAMK4DAgDiBAAhtgMCAOIEACG4AwQA-QQAIcEDAgCLBQAhwgMCAIsFACHDAwIAiwUAIccDAgDiBAAhyAMCAOIEACHJAwIAiwUAIcoDAQCMBQAhywMAAY0FACEIoQMCAAAAAaIDAgAAAAWjAwIAAAAFpAMCAAAAAaUDAgAAAAGmAwIAAAABpwMCAAAAAagDAgDyBAAhC6EDAQAAAAGiAwEAAAAFowMBAAAABaQDAQAAAAGlAwEAAAABpgMBAAAAAacDAQAAAAGoAwEAiAUAIcwDAQAAAAHNAwEAAAABzgMBAAAAAQShAwABAAABogMAAQAABaMDAAEAAAWoAwABhgUAIQKuAwIAAAABxwMCAAAAAQKuAwIAAAABygMBAAAAAQWMAwAAkAUAMI0DAAD1AgAQjgMAAJAFADDRAwEAkQUAIdIDBADbBAAhDhUAAN0EACAYAACTBQAgGQAAkwUAIKEDAQAAAAGiAwEAAAAEowMBAAAABKQDAQAAAAGlAwEAAAABpgMBAAAAAacDAQAAAAGoAwEAkgUAIcwDAQAAAAHNAwEAAAABzgMBAAAAAQ4VAADdBAAgGAAAkwUAIBkAAJMFACChAwEAAAABogMBAAAABKMDAQAAAASkAwEAAAABpQMBAAAAAaYDAQAAAAGnAwEAAAABqAMBAJIFACHMAwEAAAABzQMBAAAAAc4DAQAAAAELoQMBAAAAAaIDAQAAAASjAwEAAAAEpAMBAAAAAaUDAQAAAAGmAwEAAAABpwMBAAAAAagDAQCTBQAhzAMBAAAAAc0DAQAAAAHOAwEAAAABBYwDAACUBQAwjQMAAOICABCOAwAAlAUAMNEDAQCVBQAh0gMEAOMEACELoQMBAAAAAaIDAQAAAASjAwEAAAAEpAMBAAAAAaUDAQAAAAGmAwEAAAABpwMBAAAAAagDAQCTBQAhzAMBAAAAAc0DAQAAAAHOAwEAAAABFYwDAACWBQAwjQMAANwCABCOAwAAlgUAMJEDAgDaBAAhmAMEANsEACGeAwIA2gQAIa8DAgDaBAAhsgMCANoEACGzAwIA2gQAIbYDAgDaBAAhygMBAJEFACHRAwEAkQUAIdMDAQCDBQAh1AMCANoEACHVAwEAgwUAIdYDBADwBAAh1wMEAPAEACHYAwIA2gQAIdkDAgDaBAAh2gMCANoEACHbAwIA2gQAIRWMAwAAlwUAMI0DAADJAgAQjgMAAJcFADCRAwIA4gQAIZgDBADjBAAhngMCAOIEACGvAwIA4gQAIbIDAgDiBAAhswMCAOIEACG2AwIA4gQAIcoDAQCVBQAh0QMBAJUFACHTAwEAjAUAIdQDAgDiBAAh1QMBAIwFACHWAwQA-QQAIdcDBAD5BAAh2AMCAOIEACHZAwIA4gQAIdoDAgDiBAAh2wMCAOIEACEGjAMAAJgFADCNAwAAwwIAEI4DAACYBQAwtgMCANoEACHIAwIA2gQAIdwDAQCRBQAhBowDAACZBQAwjQMAALACABCOAwAAmQUAMLYDAgDiBAAhyAMCAOIEACHcAwEAlQUAIQLIAwIAAAAB3AMBAAAAAQaMAwAAmwUAMI0DAACqAgAQjgMAAJsFADC2AwIA2gQAId4DAQCRBQAh3wMBAJEFACEGjAMAAJwFADCNAwAAlwIAEI4DAACcBQAwtgMCAOIEACHeAwEAlQUAId8DAQCVBQAhBowDAACdBQAwjQMAAJECABCOAwAAnQUAMK4DAgDaBAAh4AMCANoEACHhAwIA2gQAIQaMAwAAngUAMI0DAAD-AQAQjgMAAJ4FADCuAwIA4gQAIeADAgDiBAAh4QMCAOIEACEFCAAB7wQAIYwDAACfBQAwjQMAAPgBABCOAwAAnwUAMLYDAgDaBAAhBQgAAfgEACGMAwAAoAUAMI0DAADlAQAQjgMAAKAFADC2AwIA4gQAIQmMAwAAoQUAMI0DAADfAQAQjgMAAKEFADCvAwIA2gQAIbYDAgDaBAAh4gMCANoEACHjAwIA2gQAIeQDAgDaBAAh5QMAAe8EACEJjAMAAKIFADCNAwAAzAEAEI4DAACiBQAwrwMCAOIEACG2AwIA4gQAIeIDAgDiBAAh4wMCAOIEACHkAwIA4gQAIeUDAAH4BAAhCAgAAe8EACGMAwAAowUAMI0DAADGAQAQjgMAAKMFADCuAwIA2gQAIa8DAgDaBAAhxwMCANoEACHmAwIA2gQAIQgIAAH4BAAhjAMAAKQFADCNAwAAswEAEI4DAACkBQAwrgMCAOIEACGvAwIA4gQAIccDAgDiBAAh5gMCAOIEACEKjAMAAKUFADCNAwAArQEAEI4DAAClBQAwrgMBAIMFACG2AwEAkQUAIbgDBADbBAAh5AMEANsEACHnAwEAkQUAIegDAQCRBQAh6QMCANoEACEKjAMAAKYFADCNAwAAmgEAEI4DAACmBQAwrgMBAIwFACG2AwEAlQUAIbgDBADjBAAh5AMEAOMEACHnAwEAlQUAIegDAQCVBQAh6QMCAOIEACEYjAMAAKcFADCNAwAAlAEAEI4DAACnBQAwrgMBAIMFACG2AwIA2gQAIcgDAQCRBQAh5gMBAJEFACHnAwEAkQUAIegDAQCDBQAh6gMBAJEFACHrAwgAqAUAIewDAQCRBQAh7QMBAIMFACHuAwQA2wQAIe8DBADbBAAh8AMCANoEACHxAwIA2gQAIfIDAgDaBAAh8wMBAJEFACH0AwQA2wQAIfUDBADwBAAh9gMBAIMFACH3AwEAgwUAIfgDAQCRBQAhDRUAAN0EACAWAADeBAAgFwAA3gQAIBgAAN4EACAZAADeBAAgoQMIAAAAAaIDCAAAAASjAwgAAAAEpAMIAAAAAaUDCAAAAAGmAwgAAAABpwMIAAAAAagDCACpBQAhDRUAAN0EACAWAADeBAAgFwAA3gQAIBgAAN4EACAZAADeBAAgoQMIAAAAAaIDCAAAAASjAwgAAAAEpAMIAAAAAaUDCAAAAAGmAwgAAAABpwMIAAAAAagDCACpBQAhGIwDAACqBQAwjQMAAIEBABCOAwAAqgUAMK4DAQCMBQAhtgMCAOIEACHIAwEAlQUAIeYDAQCVBQAh5wMBAJUFACHoAwEAjAUAIeoDAQCVBQAh6wMIAKsFACHsAwEAlQUAIe0DAQCMBQAh7gMEAOMEACHvAwQA4wQAIfADAgDiBAAh8QMCAOIEACHyAwIA4gQAIfMDAQCVBQAh9AMEAOMEACH1AwQA-QQAIfYDAQCMBQAh9wMBAIwFACH4AwEAlQUAIQihAwgAAAABogMIAAAABKMDCAAAAASkAwgAAAABpQMIAAAAAaYDCAAAAAGnAwgAAAABqAMIAN4EACELjAMAAKwFADCNAwAAewAQjgMAAKwFADCuAwEAgwUAIbYDAgDaBAAh0QMBAJEFACHnAwEAkQUAIeoDAQCRBQAh9AMEANsEACH1AwQA8AQAIfkDBADbBAAhC4wDAACtBQAwjQMAAGgAEI4DAACtBQAwrgMBAIwFACG2AwIA4gQAIdEDAQCVBQAh5wMBAJUFACHqAwEAlQUAIfQDBADjBAAh9QMEAPkEACH5AwQA4wQAIQeMAwAArgUAMI0DAABiABCOAwAArgUAMNEDAQCRBQAh1wMEANsEACHcAwEAkQUAIfoDAQCRBQAhB4wDAACvBQAwjQMAAE8AEI4DAACvBQAw0QMBAJUFACHXAwQA4wQAIdwDAQCVBQAh-gMBAJUFACEC0QMBAAAAAfoDAQAAAAEIjAMAALEFADCNAwAASQAQjgMAALEFADC2AwIA2gQAId4DAQCRBQAh_AMCAIIFACH9AwEAkQUAIf4DAgDaBAAhCIwDAACyBQAwjQMAADYAEI4DAACyBQAwtgMCAOIEACHeAwEAlQUAIfwDAgCLBQAh_QMBAJUFACH-AwIA4gQAIQyMAwAAswUAMI0DAAAwABCOAwAAswUAMK4DAgDaBAAhtgMCANoEACHBAwIA2gQAIcIDAgDaBAAhwwMCANoEACHkAwIA2gQAIf8DAgDaBAAhgAQCANoEACGBBAIA2gQAIQyMAwAAtAUAMI0DAAAdABCOAwAAtAUAMK4DAgDiBAAhtgMCAOIEACHBAwIA4gQAIcIDAgDiBAAhwwMCAOIEACHkAwIA4gQAIf8DAgDiBAAhgAQCAOIEACGBBAIA4gQAIQ6MAwAAtQUAMI0DAAAXABCOAwAAtQUAMLYDAgDaBAAhwgMEANsEACHeAwEAkQUAIfwDAgDaBAAhggQBAJEFACGDBAIA2gQAIYQEAQCRBQAhhQQEANsEACGGBAQA2wQAIYcEAQCRBQAhiAQAAe8EACEOjAMAALYFADCNAwAABAAQjgMAALYFADC2AwIA4gQAIcIDBADjBAAh3gMBAJUFACH8AwIA4gQAIYIEAQCVBQAhgwQCAOIEACGEBAEAlQUAIYUEBADjBAAhhgQEAOMEACGHBAEAlQUAIYgEAAH4BAAhAAAAAAAFiQQCAAAAAYoEAgAAAAGLBAIAAAABjAQCAAAAAY0EAgAAAAEFiQQEAAAAAYoEBAAAAAGLBAQAAAABjAQEAAAAAY0EBAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAABiQQAAQAAAQWJBAQAAAABigQEAAAAAYsEBAAAAAGMBAQAAAABjQQEAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAABYkEAgAAAAGKBAIAAAABiwQCAAAAAYwEAgAAAAGNBAIAAAABAYkEAQAAAAEBiQQAAQAAAQAAAAAAAYkEAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFiQQIAAAAAYoECAAAAAGLBAgAAAABjAQIAAAAAY0ECAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAUVAAYWAAcXAAgYAAkZAAoAAAAAAAUVAAYWAAcXAAgYAAkZAAoAAAAFFQAQFgARFwASGAATGQAUAAAAAAAFFQAQFgARFwASGAATGQAUAAAABRUAGhYAGxcAHBgAHRkAHgAAAAAABRUAGhYAGxcAHBgAHRkAHgAAAAUVACQWACUXACYYACcZACgAAAAAAAUVACQWACUXACYYACcZACgAAAAFFQAuFgAvFwAwGAAxGQAyAAAAAAAFFQAuFgAvFwAwGAAxGQAyAAAABRUAOBYAORcAOhgAOxkAPAAAAAAABRUAOBYAORcAOhgAOxkAPAAAAAUVAEIWAEMXAEQYAEUZAEYAAAAAAAUVAEIWAEMXAEQYAEUZAEYAAAAFFQBMFgBNFwBOGABPGQBQAAAAAAAFFQBMFgBNFwBOGABPGQBQAAAABRUAVhYAVxcAWBgAWRkAWgAAAAAABRUAVhYAVxcAWBgAWRkAWgAAAAUVAGAWAGEXAGIYAGMZAGQAAAAAAAUVAGAWAGEXAGIYAGMZAGQAAAAFFQBqFgBrFwBsGABtGQBuAAAAAAAFFQBqFgBrFwBsGABtGQBuAAAABRUAdBYAdRcAdhgAdxkAeAAAAAAABRUAdBYAdRcAdhgAdxkAeAAAAAUVAH4WAH8XAIABGACBARkAggEAAAAAAAUVAH4WAH8XAIABGACBARkAggEAAAAFFQCIARYAiQEXAIoBGACLARkAjAEAAAAAAAUVAIgBFgCJARcAigEYAIsBGQCMAQAAAAUVAJIBFgCTARcAlAEYAJUBGQCWAQAAAAAABRUAkgEWAJMBFwCUARgAlQEZAJYBAAAABRUAnAEWAJ0BFwCeARgAnwEZAKABAAAAAAAFFQCcARYAnQEXAJ4BGACfARkAoAEAAAAFFQCmARYApwEXAKgBGACpARkAqgEAAAAAAAUVAKYBFgCnARcAqAEYAKkBGQCqAQAAAAUVALABFgCxARcAsgEYALMBGQC0AQAAAAAABRUAsAEWALEBFwCyARgAswEZALQBAAAABRUAugEWALsBFwC8ARgAvQEZAL4BAAAAAAAFFQC6ARYAuwEXALwBGAC9ARkAvgEAAAAFFQDEARYAxQEXAMYBGADHARkAyAEAAAAAAAUVAMQBFgDFARcAxgEYAMcBGQDIAQAAAAUVAM4BFgDPARcA0AEYANEBGQDSAQAAAAAABRUAzgEWAM8BFwDQARgA0QEZANIBAAAABRUA2AEWANkBFwDaARgA2wEZANwBAAAAAAAFFQDYARYA2QEXANoBGADbARkA3AEAAAAFFQDiARYA4wEXAOQBGADlARkA5gEAAAAAAAUVAOIBFgDjARcA5AEYAOUBGQDmAQAAAAUVAOwBFgDtARcA7gEYAO8BGQDwAQAAAAAABRUA7AEWAO0BFwDuARgA7wEZAPABAQIBAgMBBQYBBgcBBwgBCQoBCgwCCw0DDA8BDRECDhIEERMBEhQBExUCGhgFGxkLHBsMHRwMHh8MHyAMICEMISMMIiUCIyYNJCgMJSoCJisOJywMKC0MKS4CKjEPKzIVLDQWLTUWLjgWLzkWMDoWMTwWMj4CMz8XNEEWNUMCNkQYN0UWOEYWOUcCOkoZO0sfPE0gPU4gPlEgP1IgQFMgQVUgQlcCQ1ghRFogRVwCRl0iR14gSF8gSWACSmMjS2QpTGYqTWcqTmoqT2sqUGwqUW4qUnACU3ErVHMqVXUCVnYsV3cqWHgqWXkCWnwtW30zXH80XYABNF6DATRfhAE0YIUBNGGHATRiiQECY4oBNWSMATRljgECZo8BNmeQATRokQE0aZIBAmqVATdrlgE9bJgBPm2ZAT5unAE-b50BPnCeAT5xoAE-cqIBAnOjAT90pQE-dacBAnaoAUB3qQE-eKoBPnmrAQJ6rgFBe68BR3yxAUh9sgFIfrUBSH-2AUiAAbcBSIEBuQFIggG7AQKDAbwBSYQBvgFIhQHAAQKGAcEBSocBwgFIiAHDAUiJAcQBAooBxwFLiwHIAVGMAcoBUo0BywFSjgHOAVKPAc8BUpAB0AFSkQHSAVKSAdQBApMB1QFTlAHXAVKVAdkBApYB2gFUlwHbAVKYAdwBUpkB3QECmgHgAVWbAeEBW5wB4wFcnQHkAVyeAecBXJ8B6AFcoAHpAVyhAesBXKIB7QECowHuAV2kAfABXKUB8gECpgHzAV6nAfQBXKgB9QFcqQH2AQKqAfkBX6sB-gFlrAH8AWatAf0BZq4BgAJmrwGBAmawAYICZrEBhAJmsgGGAgKzAYcCZ7QBiQJmtQGLAgK2AYwCaLcBjQJmuAGOAma5AY8CAroBkgJpuwGTAm-8AZUCcL0BlgJwvgGZAnC_AZoCcMABmwJwwQGdAnDCAZ8CAsMBoAJxxAGiAnDFAaQCAsYBpQJyxwGmAnDIAacCcMkBqAICygGrAnPLAawCecwBrgJ6zQGvAnrOAbICes8BswJ60AG0AnrRAbYCetIBuAIC0wG5AnvUAbsCetUBvQIC1gG-AnzXAb8CetgBwAJ62QHBAgLaAcQCfdsBxQKDAdwBxwKEAd0ByAKEAd4BywKEAd8BzAKEAeABzQKEAeEBzwKEAeIB0QIC4wHSAoUB5AHUAoQB5QHWAgLmAdcChgHnAdgChAHoAdkChAHpAdoCAuoB3QKHAesB3gKNAewB4AKOAe0B4QKOAe4B5AKOAe8B5QKOAfAB5gKOAfEB6AKOAfIB6gIC8wHrAo8B9AHtAo4B9QHvAgL2AfACkAH3AfECjgH4AfICjgH5AfMCAvoB9gKRAfsB9wKXAfwB-QKYAf0B-gKYAf4B_QKYAf8B_gKYAYAC_wKYAYECgQOYAYICgwMCgwKEA5kBhAKGA5gBhQKIAwKGAokDmgGHAooDmAGIAosDmAGJAowDAooCjwObAYsCkAOhAYwCkgOiAY0CkwOiAY4ClgOiAY8ClwOiAZACmAOiAZECmgOiAZICnAMCkwKdA6MBlAKfA6IBlQKhAwKWAqIDpAGXAqMDogGYAqQDogGZAqUDApoCqAOlAZsCqQOrAZwCqwOsAZ0CrAOsAZ4CrwOsAZ8CsAOsAaACsQOsAaECswOsAaICtQMCowK2A60BpAK4A6wBpQK6AwKmArsDrgGnArwDrAGoAr0DrAGpAr4DAqoCwQOvAasCwgO1AawCxAO2Aa0CxQO2Aa4CyAO2Aa8CyQO2AbACygO2AbECzAO2AbICzgMCswLPA7cBtALRA7YBtQLTAwK2AtQDuAG3AtUDtgG4AtYDtgG5AtcDAroC2gO5AbsC2wO_AbwC3QPAAb0C3gPAAb4C4QPAAb8C4gPAAcAC4wPAAcEC5QPAAcIC5wMCwwLoA8EBxALqA8ABxQLsAwLGAu0DwgHHAu4DwAHIAu8DwAHJAvADAsoC8wPDAcsC9APJAcwC9gPKAc0C9wPKAc4C-gPKAc8C-wPKAdAC_APKAdEC_gPKAdICgAQC0wKBBMsB1AKDBMoB1QKFBALWAoYEzAHXAocEygHYAogEygHZAokEAtoCjATNAdsCjQTTAdwCjwTUAd0CkATUAd4CkwTUAd8ClATUAeAClQTUAeEClwTUAeICmQQC4wKaBNUB5AKcBNQB5QKeBALmAp8E1gHnAqAE1AHoAqEE1AHpAqIEAuoCpQTXAesCpgTdAewCqATeAe0CqQTeAe4CrATeAe8CrQTeAfACrgTeAfECsATeAfICsgQC8wKzBN8B9AK1BN4B9QK3BAL2ArgE4AH3ArkE3gH4AroE3gH5ArsEAvoCvgThAfsCvwTnAfwCwQToAf0CwgToAf4CxQToAf8CxgToAYADxwToAYEDyQToAYIDywQCgwPMBOkBhAPOBOgBhQPQBAKGA9EE6gGHA9IE6AGIA9ME6AGJA9QEAooD1wTrAYsD2ATxAQ"
    };
    config.compilerWasm = {
      getRuntime: async () => await import("@prisma/client/runtime/query_compiler_small_bg.sqlite.mjs"),
      getQueryCompilerWasmModule: async () => {
        const { wasm } = await import("@prisma/client/runtime/query_compiler_small_bg.sqlite.wasm-base64.mjs");
        return await decodeBase64AsWasm(wasm);
      },
      importName: "./query_compiler_small_bg.js"
    };
  }
});

// src/generated/sqlite/internal/prismaNamespace.ts
var prismaNamespace_exports = {};
__export(prismaNamespace_exports, {
  AnyNull: () => AnyNull2,
  BlockScalarFieldEnum: () => BlockScalarFieldEnum,
  BlockUseScalarFieldEnum: () => BlockUseScalarFieldEnum,
  CheckpointScalarFieldEnum: () => CheckpointScalarFieldEnum,
  DbNull: () => DbNull2,
  Decimal: () => Decimal2,
  DeletedSessionScalarFieldEnum: () => DeletedSessionScalarFieldEnum,
  EntryScalarFieldEnum: () => EntryScalarFieldEnum,
  ImportSkipScalarFieldEnum: () => ImportSkipScalarFieldEnum,
  ImportedFileScalarFieldEnum: () => ImportedFileScalarFieldEnum,
  JsonNull: () => JsonNull2,
  LabelScalarFieldEnum: () => LabelScalarFieldEnum,
  MemoryVersionScalarFieldEnum: () => MemoryVersionScalarFieldEnum,
  ModelName: () => ModelName,
  NoteVersionScalarFieldEnum: () => NoteVersionScalarFieldEnum,
  NullTypes: () => NullTypes2,
  NullsOrder: () => NullsOrder,
  PackScalarFieldEnum: () => PackScalarFieldEnum,
  PrismaClientInitializationError: () => PrismaClientInitializationError2,
  PrismaClientKnownRequestError: () => PrismaClientKnownRequestError2,
  PrismaClientRustPanicError: () => PrismaClientRustPanicError2,
  PrismaClientUnknownRequestError: () => PrismaClientUnknownRequestError2,
  PrismaClientValidationError: () => PrismaClientValidationError2,
  SearchPageScalarFieldEnum: () => SearchPageScalarFieldEnum,
  SearchPendingScalarFieldEnum: () => SearchPendingScalarFieldEnum,
  SearchSegmentScalarFieldEnum: () => SearchSegmentScalarFieldEnum,
  SearchTailScalarFieldEnum: () => SearchTailScalarFieldEnum,
  SessionScalarFieldEnum: () => SessionScalarFieldEnum,
  SortOrder: () => SortOrder,
  SourceRunScalarFieldEnum: () => SourceRunScalarFieldEnum,
  Sql: () => Sql2,
  StateScalarFieldEnum: () => StateScalarFieldEnum,
  TransactionIsolationLevel: () => TransactionIsolationLevel,
  UsageDayScalarFieldEnum: () => UsageDayScalarFieldEnum,
  UsageMarginScalarFieldEnum: () => UsageMarginScalarFieldEnum,
  UsageQuarterScalarFieldEnum: () => UsageQuarterScalarFieldEnum,
  UsageScalarFieldEnum: () => UsageScalarFieldEnum,
  UsageTotalScalarFieldEnum: () => UsageTotalScalarFieldEnum,
  WorkspaceScalarFieldEnum: () => WorkspaceScalarFieldEnum,
  defineExtension: () => defineExtension,
  empty: () => empty2,
  getExtensionContext: () => getExtensionContext,
  join: () => join2,
  prismaVersion: () => prismaVersion,
  raw: () => raw2,
  sql: () => sql
});
import * as runtime2 from "@prisma/client/runtime/client";
var PrismaClientKnownRequestError2, PrismaClientUnknownRequestError2, PrismaClientRustPanicError2, PrismaClientInitializationError2, PrismaClientValidationError2, sql, empty2, join2, raw2, Sql2, Decimal2, getExtensionContext, prismaVersion, NullTypes2, DbNull2, JsonNull2, AnyNull2, ModelName, TransactionIsolationLevel, ImportedFileScalarFieldEnum, SourceRunScalarFieldEnum, ImportSkipScalarFieldEnum, StateScalarFieldEnum, NoteVersionScalarFieldEnum, MemoryVersionScalarFieldEnum, CheckpointScalarFieldEnum, SearchTailScalarFieldEnum, SearchSegmentScalarFieldEnum, SearchPageScalarFieldEnum, SearchPendingScalarFieldEnum, WorkspaceScalarFieldEnum, LabelScalarFieldEnum, SessionScalarFieldEnum, DeletedSessionScalarFieldEnum, EntryScalarFieldEnum, PackScalarFieldEnum, BlockScalarFieldEnum, BlockUseScalarFieldEnum, UsageScalarFieldEnum, UsageQuarterScalarFieldEnum, UsageDayScalarFieldEnum, UsageMarginScalarFieldEnum, UsageTotalScalarFieldEnum, SortOrder, NullsOrder, defineExtension;
var init_prismaNamespace = __esm({
  "src/generated/sqlite/internal/prismaNamespace.ts"() {
    PrismaClientKnownRequestError2 = runtime2.PrismaClientKnownRequestError;
    PrismaClientUnknownRequestError2 = runtime2.PrismaClientUnknownRequestError;
    PrismaClientRustPanicError2 = runtime2.PrismaClientRustPanicError;
    PrismaClientInitializationError2 = runtime2.PrismaClientInitializationError;
    PrismaClientValidationError2 = runtime2.PrismaClientValidationError;
    sql = runtime2.sqltag;
    empty2 = runtime2.empty;
    join2 = runtime2.join;
    raw2 = runtime2.raw;
    Sql2 = runtime2.Sql;
    Decimal2 = runtime2.Decimal;
    getExtensionContext = runtime2.Extensions.getExtensionContext;
    prismaVersion = {
      client: "7.10.0",
      engine: "0edf323efd1d98336f3f0a68684b56f689b900d3"
    };
    NullTypes2 = {
      DbNull: runtime2.NullTypes.DbNull,
      JsonNull: runtime2.NullTypes.JsonNull,
      AnyNull: runtime2.NullTypes.AnyNull
    };
    DbNull2 = runtime2.DbNull;
    JsonNull2 = runtime2.JsonNull;
    AnyNull2 = runtime2.AnyNull;
    ModelName = {
      ImportedFile: "ImportedFile",
      SourceRun: "SourceRun",
      ImportSkip: "ImportSkip",
      State: "State",
      NoteVersion: "NoteVersion",
      MemoryVersion: "MemoryVersion",
      Checkpoint: "Checkpoint",
      SearchTail: "SearchTail",
      SearchSegment: "SearchSegment",
      SearchPage: "SearchPage",
      SearchPending: "SearchPending",
      Workspace: "Workspace",
      Label: "Label",
      Session: "Session",
      DeletedSession: "DeletedSession",
      Entry: "Entry",
      Pack: "Pack",
      Block: "Block",
      BlockUse: "BlockUse",
      Usage: "Usage",
      UsageQuarter: "UsageQuarter",
      UsageDay: "UsageDay",
      UsageMargin: "UsageMargin",
      UsageTotal: "UsageTotal"
    };
    TransactionIsolationLevel = runtime2.makeStrictEnum({
      Serializable: "Serializable"
    });
    ImportedFileScalarFieldEnum = {
      id: "id",
      path: "path",
      agent: "agent",
      version: "version",
      identity: "identity",
      size: "size",
      modifiedAt: "modifiedAt",
      offset: "offset",
      line: "line",
      fingerprint: "fingerprint",
      parserState: "parserState"
    };
    SourceRunScalarFieldEnum = {
      id: "id",
      fileId: "fileId",
      sessionId: "sessionId",
      firstLine: "firstLine",
      lineCount: "lineCount",
      packId: "packId",
      offset: "offset",
      length: "length",
      bytes: "bytes"
    };
    ImportSkipScalarFieldEnum = {
      id: "id",
      path: "path",
      line: "line",
      reason: "reason",
      count: "count"
    };
    StateScalarFieldEnum = {
      scope: "scope",
      key: "key",
      value: "value",
      updatedAt: "updatedAt"
    };
    NoteVersionScalarFieldEnum = {
      id: "id",
      workspace: "workspace",
      key: "key",
      text: "text",
      sessionId: "sessionId",
      createdAt: "createdAt",
      validFrom: "validFrom",
      validTo: "validTo"
    };
    MemoryVersionScalarFieldEnum = {
      id: "id",
      entryId: "entryId",
      workspace: "workspace",
      kind: "kind",
      text: "text",
      confidence: "confidence",
      examples: "examples",
      sessionId: "sessionId",
      messageId: "messageId",
      firstSeenAt: "firstSeenAt",
      lastConfirmedAt: "lastConfirmedAt",
      applications: "applications",
      confirmations: "confirmations",
      contradictions: "contradictions",
      commit: "commit",
      source: "source",
      validFrom: "validFrom",
      validTo: "validTo",
      ended: "ended",
      replacedBy: "replacedBy",
      words: "words"
    };
    CheckpointScalarFieldEnum = {
      id: "id",
      workspace: "workspace",
      sessionId: "sessionId",
      at: "at",
      commit: "commit",
      files: "files",
      bytes: "bytes"
    };
    SearchTailScalarFieldEnum = {
      entryId: "entryId",
      sessionId: "sessionId",
      seq: "seq",
      workspaceId: "workspaceId",
      data: "data"
    };
    SearchSegmentScalarFieldEnum = {
      id: "id",
      workspaceId: "workspaceId",
      level: "level",
      messages: "messages",
      bytes: "bytes",
      head: "head"
    };
    SearchPageScalarFieldEnum = {
      id: "id",
      data: "data"
    };
    SearchPendingScalarFieldEnum = {
      sessionId: "sessionId",
      fromSeq: "fromSeq",
      untilSeq: "untilSeq"
    };
    WorkspaceScalarFieldEnum = {
      id: "id",
      path: "path",
      name: "name"
    };
    LabelScalarFieldEnum = {
      id: "id",
      kind: "kind",
      value: "value"
    };
    SessionScalarFieldEnum = {
      id: "id",
      key: "key",
      agentId: "agentId",
      externalId: "externalId",
      workspaceId: "workspaceId",
      branchId: "branchId",
      title: "title",
      titled: "titled",
      forkedFrom: "forkedFrom",
      startedAt: "startedAt",
      updatedAt: "updatedAt",
      nextSeq: "nextSeq",
      messageCount: "messageCount",
      favourite: "favourite",
      redactions: "redactions",
      requests: "requests",
      costNano: "costNano",
      unpriced: "unpriced"
    };
    DeletedSessionScalarFieldEnum = {
      key: "key",
      deletedAt: "deletedAt"
    };
    EntryScalarFieldEnum = {
      id: "id",
      sessionId: "sessionId",
      seq: "seq",
      at: "at",
      kind: "kind",
      role: "role",
      externalId: "externalId",
      packId: "packId",
      offset: "offset",
      length: "length",
      body: "body"
    };
    PackScalarFieldEnum = {
      id: "id",
      sessionId: "sessionId",
      rawSize: "rawSize",
      refs: "refs",
      data: "data"
    };
    BlockScalarFieldEnum = {
      id: "id",
      hash: "hash",
      packId: "packId",
      offset: "offset",
      length: "length",
      said: "said"
    };
    BlockUseScalarFieldEnum = {
      blockId: "blockId",
      sessionId: "sessionId"
    };
    UsageScalarFieldEnum = {
      id: "id",
      callHash: "callHash",
      sessionId: "sessionId",
      at: "at",
      workspaceId: "workspaceId",
      modelId: "modelId",
      providerId: "providerId",
      modeId: "modeId",
      agentId: "agentId",
      branchId: "branchId",
      subagentId: "subagentId",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoningTokens: "reasoningTokens",
      costNano: "costNano",
      costState: "costState",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      visibleChars: "visibleChars"
    };
    UsageQuarterScalarFieldEnum = {
      bucket: "bucket",
      sessionId: "sessionId",
      workspaceId: "workspaceId",
      modelId: "modelId",
      modeId: "modeId",
      agentId: "agentId",
      branchId: "branchId",
      requests: "requests",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoning: "reasoning",
      costNano: "costNano",
      recordedNano: "recordedNano",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      unpriced: "unpriced",
      partial: "partial",
      missingOutput: "missingOutput"
    };
    UsageDayScalarFieldEnum = {
      day: "day",
      sessionId: "sessionId",
      workspaceId: "workspaceId",
      modelId: "modelId",
      modeId: "modeId",
      agentId: "agentId",
      branchId: "branchId",
      requests: "requests",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoning: "reasoning",
      costNano: "costNano",
      recordedNano: "recordedNano",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      unpriced: "unpriced",
      partial: "partial",
      missingOutput: "missingOutput"
    };
    UsageMarginScalarFieldEnum = {
      dimension: "dimension",
      day: "day",
      valueId: "valueId",
      shard: "shard",
      requests: "requests",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoning: "reasoning",
      costNano: "costNano",
      recordedNano: "recordedNano",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      unpriced: "unpriced",
      partial: "partial",
      missingOutput: "missingOutput"
    };
    UsageTotalScalarFieldEnum = {
      bucket: "bucket",
      shard: "shard",
      requests: "requests",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoning: "reasoning",
      costNano: "costNano",
      recordedNano: "recordedNano",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      unpriced: "unpriced",
      partial: "partial",
      missingOutput: "missingOutput"
    };
    SortOrder = {
      asc: "asc",
      desc: "desc"
    };
    NullsOrder = {
      first: "first",
      last: "last"
    };
    defineExtension = runtime2.Extensions.defineExtension;
  }
});

// src/generated/sqlite/enums.ts
var enums_exports = {};
var init_enums = __esm({
  "src/generated/sqlite/enums.ts"() {
  }
});

// src/generated/sqlite/client.ts
var client_exports = {};
__export(client_exports, {
  $Enums: () => enums_exports,
  Prisma: () => prismaNamespace_exports,
  PrismaClient: () => PrismaClient
});
import * as path from "node:path";
import { fileURLToPath } from "node:url";
var PrismaClient;
var init_client = __esm({
  "src/generated/sqlite/client.ts"() {
    init_class();
    init_prismaNamespace();
    init_enums();
    init_enums();
    globalThis["__dirname"] = path.dirname(fileURLToPath(import.meta.url));
    PrismaClient = getPrismaClientClass();
  }
});

// src/sql/error-code.ts
var codeOf;
var init_error_code = __esm({
  "src/sql/error-code.ts"() {
    codeOf = (thrown) => typeof thrown === "object" && thrown !== null && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  }
});

// src/sqlite/write-queue.ts
var GIVE_UP_AFTER_MS, LONGEST_PAUSE_MS, isBusy, isSocketTimeout, pause, retryAsyncWhileBusy, retryWhileBusy, WriteQueue;
var init_write_queue = __esm({
  "src/sqlite/write-queue.ts"() {
    init_src();
    init_error_code();
    GIVE_UP_AFTER_MS = 3e4;
    LONGEST_PAUSE_MS = 50;
    isBusy = (thrown) => codeOf(thrown).startsWith("SQLITE_BUSY") || thrown instanceof Error && isSocketTimeout(thrown.cause);
    isSocketTimeout = (cause) => typeof cause === "object" && cause !== null && "kind" in cause && cause.kind === "SocketTimeout";
    pause = (ms) => new Promise((resolve2) => setTimeout(resolve2, ms));
    retryAsyncWhileBusy = async (attempt) => {
      const deadline = performance.now() + GIVE_UP_AFTER_MS;
      for (let ceiling = 1; ; ceiling = Math.min(ceiling * 2, LONGEST_PAUSE_MS)) {
        try {
          return await attempt();
        } catch (error) {
          if (!isBusy(error)) throw error;
          if (performance.now() > deadline) {
            throw new StorageError("storage-busy", "The store has been locked by another process for 30 seconds; nothing was written. Try again when that process has finished.", {
              cause: error
            });
          }
          await pause(Math.random() * ceiling);
        }
      }
    };
    retryWhileBusy = (attempt) => retryAsyncWhileBusy(attempt);
    WriteQueue = class {
      #connection;
      #tail = Promise.resolve();
      constructor(connection) {
        this.#connection = connection;
      }
      /** Runs `work` when all earlier work is done, between BEGIN IMMEDIATE and COMMIT. */
      transaction(synchronous, work) {
        return this.exclusive(async () => {
          this.#connection.pragma(`synchronous = ${synchronous}`);
          await retryWhileBusy(() => this.#connection.exec("BEGIN IMMEDIATE"));
          try {
            const result = await work();
            await retryWhileBusy(() => this.#connection.exec("COMMIT"));
            return result;
          } catch (error) {
            if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
            throw error;
          }
        });
      }
      /** Runs `work` alone, outside a transaction. */
      exclusive(work) {
        const result = this.#tail.then(work);
        this.#tail = result.catch(() => void 0);
        return result;
      }
      /** Waits for its turn and holds it until the returned function is called. */
      acquire() {
        return new Promise((resolve2) => {
          void this.exclusive(() => new Promise((release) => resolve2(release)));
        });
      }
      /** Resolves when the queue is empty. */
      async idle() {
        await this.#tail;
      }
    };
  }
});

// src/prisma/sqlite-adapter.ts
var sqlite_adapter_exports = {};
__export(sqlite_adapter_exports, {
  queuedSqliteAdapter: () => queuedSqliteAdapter
});
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
var queuedSqliteAdapter, ended, queued;
var init_sqlite_adapter = __esm({
  "src/prisma/sqlite-adapter.ts"() {
    init_write_queue();
    queuedSqliteAdapter = (path3, queue) => {
      const inner = new PrismaBetterSqlite3({ url: `file:${path3}`, timeout: 0 });
      return {
        provider: inner.provider,
        adapterName: inner.adapterName,
        connect: async () => queued(await inner.connect(), queue)
      };
    };
    ended = (release) => {
      release();
      return Promise.resolve();
    };
    queued = async (adapter, queue) => {
      await adapter.executeScript("PRAGMA synchronous = FULL");
      const alone = (work) => queue.exclusive(() => retryAsyncWhileBusy(work));
      return {
        provider: adapter.provider,
        adapterName: adapter.adapterName,
        queryRaw: (query) => alone(() => adapter.queryRaw(query)),
        executeRaw: (query) => alone(() => adapter.executeRaw(query)),
        executeScript: (script) => alone(() => adapter.executeScript(script)),
        dispose: () => adapter.dispose(),
        async startTransaction() {
          const release = await queue.acquire();
          try {
            await retryAsyncWhileBusy(() => adapter.executeScript("BEGIN IMMEDIATE"));
          } catch (error) {
            release();
            throw error;
          }
          return {
            provider: adapter.provider,
            adapterName: adapter.adapterName,
            // Prisma itself sends COMMIT or ROLLBACK, then tells that it has.
            options: { usePhantomQuery: false },
            queryRaw: (query) => adapter.queryRaw(query),
            executeRaw: (query) => retryAsyncWhileBusy(() => adapter.executeRaw(query)),
            commit: () => ended(release),
            rollback: () => ended(release)
          };
        }
      };
    };
  }
});

// src/generated/postgresql/internal/class.ts
import * as runtime3 from "@prisma/client/runtime/client";
async function decodeBase64AsWasm2(wasmBase64) {
  const { Buffer: Buffer2 } = await import("node:buffer");
  const wasmArray = Buffer2.from(wasmBase64, "base64");
  return new WebAssembly.Module(wasmArray);
}
function getPrismaClientClass2() {
  return runtime3.getPrismaClient(config2);
}
var config2;
var init_class2 = __esm({
  "src/generated/postgresql/internal/class.ts"() {
    config2 = {
      "previewFeatures": [],
      "clientVersion": "7.10.0",
      "engineVersion": "0edf323efd1d98336f3f0a68684b56f689b900d3",
      "activeProvider": "postgresql",
      "inlineSchema": '// What was read from other agents\' transcripts, and how far.\n\nmodel ImportedFile {\n  id          Int    @id @default(autoincrement())\n  path        String @unique\n  agent       String\n  /// Counts commits: an importer names the version that it builds on.\n  version     Int\n  identity    String\n  size        BigInt\n  modifiedAt  BigInt @map("modified_at")\n  offset      BigInt\n  line        Int\n  fingerprint String\n  /// The parser\'s memory, JSON.\n  parserState Bytes  @map("parser_state")\n\n  @@map("imported_file")\n}\n\n/// Consecutive source lines of one session, byte for byte but for redactions.\nmodel SourceRun {\n  id        Int @id @default(autoincrement())\n  fileId    Int @map("file_id")\n  sessionId Int @map("session_id")\n  firstLine Int @map("first_line")\n  lineCount Int @map("line_count")\n  packId    Int @map("pack_id")\n  offset    Int\n  length    Int\n  /// Of the lines as they came, without their ends.\n  bytes     Int\n\n  @@index([sessionId])\n  @@index([fileId, firstLine])\n  @@map("source_run")\n}\n\n/// Input that was left out, with the reason.\nmodel ImportSkip {\n  id     Int    @id @default(autoincrement())\n  path   String\n  line   Int?\n  reason String\n  count  Int\n\n  @@index([path])\n  @@map("import_skip")\n}\n\n// State, notes, long-term memory and the record of checkpoints.\n\nmodel State {\n  /// `global`, `workspace:<path>` or `session:<id>`.\n  scope     String\n  key       String\n  /// JSON text: jsonb would refuse a NUL.\n  value     String\n  updatedAt BigInt @map("updated_at")\n\n  @@id([scope, key])\n  @@map("state")\n}\n\n/// A version of a note; the current one has no `validTo`.\nmodel NoteVersion {\n  id        Int     @id @default(autoincrement())\n  workspace String\n  key       String\n  text      String\n  sessionId String? @map("session_id")\n  createdAt BigInt  @map("created_at")\n  validFrom BigInt  @map("valid_from")\n  validTo   BigInt? @map("valid_to")\n\n  @@index([workspace, key, validTo])\n  @@map("note_version")\n}\n\n/// A version of a long-term memory entry; the current one has no `validTo`.\nmodel MemoryVersion {\n  id              Int     @id @default(autoincrement())\n  entryId         String  @map("entry_id")\n  workspace       String\n  kind            String\n  text            String\n  confidence      Float\n  /// JSON text.\n  examples        String\n  sessionId       String? @map("session_id")\n  messageId       String? @map("message_id")\n  firstSeenAt     BigInt  @map("first_seen_at")\n  lastConfirmedAt BigInt  @map("last_confirmed_at")\n  applications    Int\n  confirmations   Int     @default(0)\n  contradictions  Int     @default(0)\n  commit          String?\n  source          String  @default("user")\n  validFrom       BigInt  @map("valid_from")\n  validTo         BigInt? @map("valid_to")\n  /// Why it ended: updated, forgotten, superseded, pruned, merged, contradicted.\n  ended           String?\n  /// The entry that stands in its place.\n  replacedBy      String? @map("replaced_by")\n  /// A hash of the text\'s words in their order: finds what says the same.\n  words           String  @default("")\n\n  @@index([entryId, validFrom])\n  @@index([workspace, validTo])\n  @@index([words, validTo])\n  @@map("memory_version")\n}\n\nmodel Checkpoint {\n  id        String  @id\n  workspace String\n  sessionId String? @map("session_id")\n  at        BigInt\n  commit    String\n  files     Int\n  bytes     BigInt\n\n  @@index([workspace, at])\n  @@map("checkpoint")\n}\n\n// Generator and database only; the models are shared, in ../models.\n\ngenerator client {\n  provider            = "prisma-client"\n  // Seen from packages/storage-prisma/.prisma/postgresql, where the schema is put together.\n  output              = "../../src/generated/postgresql"\n  runtime             = "nodejs"\n  moduleFormat        = "esm"\n  importFileExtension = "ts"\n  compilerBuild       = "small"\n}\n\ndatasource db {\n  provider = "postgresql"\n}\n\n// The search index: analysed messages, and the segments that they are gathered into. Derived from the log.\n\n/// Messages that no segment holds yet.\nmodel SearchTail {\n  entryId     Int   @id @map("entry_id")\n  sessionId   Int   @map("session_id")\n  seq         Int\n  /// The workspace whose part of the index it belongs to; 0: none is known.\n  workspaceId Int   @map("workspace_id")\n  /// The message as analysed.\n  data        Bytes\n\n  @@index([workspaceId])\n  @@index([sessionId])\n  @@map("search_tail")\n}\n\n/// Messages of one workspace that were gathered; never changed, only replaced by a larger one.\nmodel SearchSegment {\n  id          Int   @id @default(autoincrement())\n  workspaceId Int   @map("workspace_id")\n  level       Int\n  messages    Int\n  /// Size of its postings.\n  bytes       Int\n  /// Facts of its messages and the dictionary of its terms.\n  head        Bytes\n\n  @@index([workspaceId])\n  @@map("search_segment")\n}\n\n/// Postings of a segment, in pages. The id is the segment\'s \xD7 1,024 + the page\'s number.\nmodel SearchPage {\n  id   Int   @id\n  data Bytes\n\n  @@map("search_page")\n}\n\n/// Sessions whose messages the index does not hold yet, from one place in the log to another (not included).\nmodel SearchPending {\n  sessionId Int @id @map("session_id")\n  fromSeq   Int @map("from_seq")\n  untilSeq  Int @map("until_seq")\n\n  @@map("search_pending")\n}\n\n// Sessions, their append-only logs, and the content that logs and transcripts share.\n// Times are milliseconds since the epoch. A dimension id of 0 means "not known".\n\n/// A project: the main working tree of a repository, or a folder.\nmodel Workspace {\n  id   Int    @id @default(autoincrement())\n  path String @unique\n  /// Last part of the path.\n  name String\n\n  @@index([name])\n  @@map("workspace")\n}\n\n/// Short texts that many rows repeat: agents, models, providers, modes, branches, subagents.\nmodel Label {\n  id    Int    @id @default(autoincrement())\n  kind  Int\n  value String\n\n  @@unique([kind, value])\n  @@map("label")\n}\n\nmodel Session {\n  id           Int     @id @default(autoincrement())\n  /// The public id: agent, colon, the agent\'s own id.\n  key          String  @unique\n  agentId      Int     @map("agent_id")\n  externalId   String  @map("external_id")\n  workspaceId  Int     @default(0) @map("workspace_id")\n  branchId     Int     @default(0) @map("branch_id")\n  title        String?\n  /// 1: a later log entry gave the title, so that a source\'s own does not replace it.\n  titled       Int     @default(0)\n  forkedFrom   String? @map("forked_from")\n  startedAt    BigInt? @map("started_at")\n  updatedAt    BigInt? @map("updated_at")\n  nextSeq      Int     @default(0) @map("next_seq")\n  messageCount Int     @default(0) @map("message_count")\n  favourite    Int     @default(0)\n  redactions   Int     @default(0)\n  /// Sums over the session\'s requests, as in the rollups.\n  requests     Int     @default(0)\n  costNano     BigInt  @default(0) @map("cost_nano")\n  unpriced     Int     @default(0)\n\n  @@index([externalId])\n  /// All that lists sort and filter by: they are found, counted and sorted without a look at the rows.\n  @@index([updatedAt, startedAt, workspaceId, branchId, agentId, messageCount, costNano], map: "session_list_idx")\n  @@map("session")\n}\n\n/// Sessions that a user deleted: an import does not bring them back.\nmodel DeletedSession {\n  key       String @id\n  deletedAt BigInt @map("deleted_at")\n\n  @@map("deleted_session")\n}\n\nmodel Entry {\n  id         Int     @id @default(autoincrement())\n  sessionId  Int     @map("session_id")\n  seq        Int\n  at         BigInt?\n  kind       Int\n  role       Int?\n  externalId String? @map("external_id")\n  /// Where the body lies: a slice of a pack, or `body` itself when it is small.\n  packId     Int?    @map("pack_id")\n  offset     Int?\n  length     Int?\n  body       Bytes?\n\n  @@unique([sessionId, seq])\n  @@unique([sessionId, externalId])\n  @@map("entry")\n}\n\n/// Compressed content: blocks, entry bodies and source lines that were written together.\nmodel Pack {\n  id        Int   @id @default(autoincrement())\n  sessionId Int   @map("session_id")\n  rawSize   Int   @map("raw_size")\n  /// Blocks that the content refers to by number; see packs/references.\n  refs      Bytes\n  data      Bytes\n\n  @@index([sessionId])\n  @@map("pack")\n}\n\n/// A text of 512 bytes or more, stored once.\nmodel Block {\n  id     Int   @id @default(autoincrement())\n  /// SHA-256 of the text.\n  hash   Bytes @unique\n  packId Int   @map("pack_id")\n  offset Int\n  length Int\n  /// 1 if an entry says it (then the search index knows it), 0 if it stands only in source lines.\n  said   Int\n\n  @@index([packId])\n  @@map("block")\n}\n\n/// A session that refers to a block in another session\'s pack: it must outlive that session.\nmodel BlockUse {\n  blockId   Int @map("block_id")\n  sessionId Int @map("session_id")\n\n  @@id([blockId, sessionId])\n  @@index([sessionId])\n  @@map("block_use")\n}\n\n// One row a request, and what is derived from these rows in the same transaction.\n\nmodel Usage {\n  id              Int     @id @default(autoincrement())\n  /// SHA-256 of agent and call id, its first 16 bytes.\n  callHash        Bytes   @unique @map("call_hash")\n  sessionId       Int     @map("session_id")\n  at              BigInt?\n  workspaceId     Int     @map("workspace_id")\n  modelId         Int     @map("model_id")\n  providerId      Int     @map("provider_id")\n  modeId          Int     @map("mode_id")\n  agentId         Int     @map("agent_id")\n  branchId        Int     @map("branch_id")\n  subagentId      Int     @map("subagent_id")\n  inputTokens     Int     @map("input_tokens")\n  cacheRead       Int     @map("cache_read")\n  cacheWrite5m    Int     @map("cache_write_5m")\n  cacheWrite1h    Int     @map("cache_write_1h")\n  outputTokens    Int     @map("output_tokens")\n  reasoningTokens Int     @map("reasoning_tokens")\n  costNano        BigInt? @map("cost_nano")\n  /// 0 recorded, 1 computed, 2 unpriced.\n  costState       Int     @map("cost_state")\n  /// Parts of a computed cost, and what caching saved.\n  costCacheRead   BigInt  @default(0) @map("cost_cache_read")\n  costCacheWrite  BigInt  @default(0) @map("cost_cache_write")\n  costOutput      BigInt  @default(0) @map("cost_output")\n  savedNano       BigInt  @default(0) @map("saved_nano")\n  visibleChars    Int     @map("visible_chars")\n\n  @@index([sessionId])\n  @@index([at])\n  @@map("usage_fact")\n}\n\n/// Sums by 15 minutes and everything that a view groups by. Bucket \u22121: time not known.\nmodel UsageQuarter {\n  bucket         Int\n  sessionId      Int    @map("session_id")\n  workspaceId    Int    @map("workspace_id")\n  modelId        Int    @map("model_id")\n  modeId         Int    @map("mode_id")\n  agentId        Int    @map("agent_id")\n  branchId       Int    @map("branch_id")\n  requests       Int\n  inputTokens    BigInt @map("input_tokens")\n  cacheRead      BigInt @map("cache_read")\n  cacheWrite5m   BigInt @map("cache_write_5m")\n  cacheWrite1h   BigInt @map("cache_write_1h")\n  outputTokens   BigInt @map("output_tokens")\n  reasoning      BigInt @map("reasoning_tokens")\n  costNano       BigInt @map("cost_nano")\n  recordedNano   BigInt @map("recorded_nano")\n  costCacheRead  BigInt @map("cost_cache_read_nano")\n  costCacheWrite BigInt @map("cost_cache_write_nano")\n  costOutput     BigInt @map("cost_output_nano")\n  savedNano      BigInt @map("saved_nano")\n  unpriced       Int\n  partial        Int\n  missingOutput  BigInt @map("missing_output")\n\n  @@id([bucket, sessionId, workspaceId, modelId, modeId, agentId, branchId])\n  @@map("usage_quarter")\n}\n\n/// The same by UTC day, for long ranges.\nmodel UsageDay {\n  day            Int\n  sessionId      Int    @map("session_id")\n  workspaceId    Int    @map("workspace_id")\n  modelId        Int    @map("model_id")\n  modeId         Int    @map("mode_id")\n  agentId        Int    @map("agent_id")\n  branchId       Int    @map("branch_id")\n  requests       Int\n  inputTokens    BigInt @map("input_tokens")\n  cacheRead      BigInt @map("cache_read")\n  cacheWrite5m   BigInt @map("cache_write_5m")\n  cacheWrite1h   BigInt @map("cache_write_1h")\n  outputTokens   BigInt @map("output_tokens")\n  reasoning      BigInt @map("reasoning_tokens")\n  costNano       BigInt @map("cost_nano")\n  recordedNano   BigInt @map("recorded_nano")\n  costCacheRead  BigInt @map("cost_cache_read_nano")\n  costCacheWrite BigInt @map("cost_cache_write_nano")\n  costOutput     BigInt @map("cost_output_nano")\n  savedNano      BigInt @map("saved_nano")\n  unpriced       Int\n  partial        Int\n  missingOutput  BigInt @map("missing_output")\n\n  @@id([day, sessionId, workspaceId, modelId, modeId, agentId, branchId])\n  /// The model is in it for lists of the sessions that used one.\n  @@index([sessionId, modelId])\n  @@map("usage_day")\n}\n\n/// The same by UTC day for each value of one dimension alone, for views over years. `shard`: see repository/rollups.\nmodel UsageMargin {\n  /// Number of the dimension; see repository/rollups.\n  dimension      Int\n  day            Int\n  valueId        Int    @map("value_id")\n  shard          Int\n  requests       Int\n  inputTokens    BigInt @map("input_tokens")\n  cacheRead      BigInt @map("cache_read")\n  cacheWrite5m   BigInt @map("cache_write_5m")\n  cacheWrite1h   BigInt @map("cache_write_1h")\n  outputTokens   BigInt @map("output_tokens")\n  reasoning      BigInt @map("reasoning_tokens")\n  costNano       BigInt @map("cost_nano")\n  recordedNano   BigInt @map("recorded_nano")\n  costCacheRead  BigInt @map("cost_cache_read_nano")\n  costCacheWrite BigInt @map("cost_cache_write_nano")\n  costOutput     BigInt @map("cost_output_nano")\n  savedNano      BigInt @map("saved_nano")\n  unpriced       Int\n  partial        Int\n  missingOutput  BigInt @map("missing_output")\n\n  @@id([dimension, day, valueId, shard])\n  @@map("usage_margin")\n}\n\n/// All requests of a quarter of an hour together, for days in any time zone over years.\nmodel UsageTotal {\n  bucket         Int\n  shard          Int\n  requests       Int\n  inputTokens    BigInt @map("input_tokens")\n  cacheRead      BigInt @map("cache_read")\n  cacheWrite5m   BigInt @map("cache_write_5m")\n  cacheWrite1h   BigInt @map("cache_write_1h")\n  outputTokens   BigInt @map("output_tokens")\n  reasoning      BigInt @map("reasoning_tokens")\n  costNano       BigInt @map("cost_nano")\n  recordedNano   BigInt @map("recorded_nano")\n  costCacheRead  BigInt @map("cost_cache_read_nano")\n  costCacheWrite BigInt @map("cost_cache_write_nano")\n  costOutput     BigInt @map("cost_output_nano")\n  savedNano      BigInt @map("saved_nano")\n  unpriced       Int\n  partial        Int\n  missingOutput  BigInt @map("missing_output")\n\n  @@id([bucket, shard])\n  @@map("usage_total")\n}\n',
      "runtimeDataModel": {
        "models": {},
        "enums": {},
        "types": {}
      },
      "parameterizationSchema": {
        "strings": [],
        "graph": ""
      }
    };
    config2.runtimeDataModel = JSON.parse('{"models":{"ImportedFile":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"path","kind":"scalar","type":"String"},{"name":"agent","kind":"scalar","type":"String"},{"name":"version","kind":"scalar","type":"Int"},{"name":"identity","kind":"scalar","type":"String"},{"name":"size","kind":"scalar","type":"BigInt"},{"name":"modifiedAt","kind":"scalar","type":"BigInt","dbName":"modified_at"},{"name":"offset","kind":"scalar","type":"BigInt"},{"name":"line","kind":"scalar","type":"Int"},{"name":"fingerprint","kind":"scalar","type":"String"},{"name":"parserState","kind":"scalar","type":"Bytes","dbName":"parser_state"}],"dbName":"imported_file","schema":null},"SourceRun":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"fileId","kind":"scalar","type":"Int","dbName":"file_id"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"firstLine","kind":"scalar","type":"Int","dbName":"first_line"},{"name":"lineCount","kind":"scalar","type":"Int","dbName":"line_count"},{"name":"packId","kind":"scalar","type":"Int","dbName":"pack_id"},{"name":"offset","kind":"scalar","type":"Int"},{"name":"length","kind":"scalar","type":"Int"},{"name":"bytes","kind":"scalar","type":"Int"}],"dbName":"source_run","schema":null},"ImportSkip":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"path","kind":"scalar","type":"String"},{"name":"line","kind":"scalar","type":"Int"},{"name":"reason","kind":"scalar","type":"String"},{"name":"count","kind":"scalar","type":"Int"}],"dbName":"import_skip","schema":null},"State":{"fields":[{"name":"scope","kind":"scalar","type":"String"},{"name":"key","kind":"scalar","type":"String"},{"name":"value","kind":"scalar","type":"String"},{"name":"updatedAt","kind":"scalar","type":"BigInt","dbName":"updated_at"}],"dbName":"state","schema":null},"NoteVersion":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"workspace","kind":"scalar","type":"String"},{"name":"key","kind":"scalar","type":"String"},{"name":"text","kind":"scalar","type":"String"},{"name":"sessionId","kind":"scalar","type":"String","dbName":"session_id"},{"name":"createdAt","kind":"scalar","type":"BigInt","dbName":"created_at"},{"name":"validFrom","kind":"scalar","type":"BigInt","dbName":"valid_from"},{"name":"validTo","kind":"scalar","type":"BigInt","dbName":"valid_to"}],"dbName":"note_version","schema":null},"MemoryVersion":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"entryId","kind":"scalar","type":"String","dbName":"entry_id"},{"name":"workspace","kind":"scalar","type":"String"},{"name":"kind","kind":"scalar","type":"String"},{"name":"text","kind":"scalar","type":"String"},{"name":"confidence","kind":"scalar","type":"Float"},{"name":"examples","kind":"scalar","type":"String"},{"name":"sessionId","kind":"scalar","type":"String","dbName":"session_id"},{"name":"messageId","kind":"scalar","type":"String","dbName":"message_id"},{"name":"firstSeenAt","kind":"scalar","type":"BigInt","dbName":"first_seen_at"},{"name":"lastConfirmedAt","kind":"scalar","type":"BigInt","dbName":"last_confirmed_at"},{"name":"applications","kind":"scalar","type":"Int"},{"name":"confirmations","kind":"scalar","type":"Int"},{"name":"contradictions","kind":"scalar","type":"Int"},{"name":"commit","kind":"scalar","type":"String"},{"name":"source","kind":"scalar","type":"String"},{"name":"validFrom","kind":"scalar","type":"BigInt","dbName":"valid_from"},{"name":"validTo","kind":"scalar","type":"BigInt","dbName":"valid_to"},{"name":"ended","kind":"scalar","type":"String"},{"name":"replacedBy","kind":"scalar","type":"String","dbName":"replaced_by"},{"name":"words","kind":"scalar","type":"String"}],"dbName":"memory_version","schema":null},"Checkpoint":{"fields":[{"name":"id","kind":"scalar","type":"String"},{"name":"workspace","kind":"scalar","type":"String"},{"name":"sessionId","kind":"scalar","type":"String","dbName":"session_id"},{"name":"at","kind":"scalar","type":"BigInt"},{"name":"commit","kind":"scalar","type":"String"},{"name":"files","kind":"scalar","type":"Int"},{"name":"bytes","kind":"scalar","type":"BigInt"}],"dbName":"checkpoint","schema":null},"SearchTail":{"fields":[{"name":"entryId","kind":"scalar","type":"Int","dbName":"entry_id"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"seq","kind":"scalar","type":"Int"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"data","kind":"scalar","type":"Bytes"}],"dbName":"search_tail","schema":null},"SearchSegment":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"level","kind":"scalar","type":"Int"},{"name":"messages","kind":"scalar","type":"Int"},{"name":"bytes","kind":"scalar","type":"Int"},{"name":"head","kind":"scalar","type":"Bytes"}],"dbName":"search_segment","schema":null},"SearchPage":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"data","kind":"scalar","type":"Bytes"}],"dbName":"search_page","schema":null},"SearchPending":{"fields":[{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"fromSeq","kind":"scalar","type":"Int","dbName":"from_seq"},{"name":"untilSeq","kind":"scalar","type":"Int","dbName":"until_seq"}],"dbName":"search_pending","schema":null},"Workspace":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"path","kind":"scalar","type":"String"},{"name":"name","kind":"scalar","type":"String"}],"dbName":"workspace","schema":null},"Label":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"kind","kind":"scalar","type":"Int"},{"name":"value","kind":"scalar","type":"String"}],"dbName":"label","schema":null},"Session":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"key","kind":"scalar","type":"String"},{"name":"agentId","kind":"scalar","type":"Int","dbName":"agent_id"},{"name":"externalId","kind":"scalar","type":"String","dbName":"external_id"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"branchId","kind":"scalar","type":"Int","dbName":"branch_id"},{"name":"title","kind":"scalar","type":"String"},{"name":"titled","kind":"scalar","type":"Int"},{"name":"forkedFrom","kind":"scalar","type":"String","dbName":"forked_from"},{"name":"startedAt","kind":"scalar","type":"BigInt","dbName":"started_at"},{"name":"updatedAt","kind":"scalar","type":"BigInt","dbName":"updated_at"},{"name":"nextSeq","kind":"scalar","type":"Int","dbName":"next_seq"},{"name":"messageCount","kind":"scalar","type":"Int","dbName":"message_count"},{"name":"favourite","kind":"scalar","type":"Int"},{"name":"redactions","kind":"scalar","type":"Int"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"unpriced","kind":"scalar","type":"Int"}],"dbName":"session","schema":null},"DeletedSession":{"fields":[{"name":"key","kind":"scalar","type":"String"},{"name":"deletedAt","kind":"scalar","type":"BigInt","dbName":"deleted_at"}],"dbName":"deleted_session","schema":null},"Entry":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"seq","kind":"scalar","type":"Int"},{"name":"at","kind":"scalar","type":"BigInt"},{"name":"kind","kind":"scalar","type":"Int"},{"name":"role","kind":"scalar","type":"Int"},{"name":"externalId","kind":"scalar","type":"String","dbName":"external_id"},{"name":"packId","kind":"scalar","type":"Int","dbName":"pack_id"},{"name":"offset","kind":"scalar","type":"Int"},{"name":"length","kind":"scalar","type":"Int"},{"name":"body","kind":"scalar","type":"Bytes"}],"dbName":"entry","schema":null},"Pack":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"rawSize","kind":"scalar","type":"Int","dbName":"raw_size"},{"name":"refs","kind":"scalar","type":"Bytes"},{"name":"data","kind":"scalar","type":"Bytes"}],"dbName":"pack","schema":null},"Block":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"hash","kind":"scalar","type":"Bytes"},{"name":"packId","kind":"scalar","type":"Int","dbName":"pack_id"},{"name":"offset","kind":"scalar","type":"Int"},{"name":"length","kind":"scalar","type":"Int"},{"name":"said","kind":"scalar","type":"Int"}],"dbName":"block","schema":null},"BlockUse":{"fields":[{"name":"blockId","kind":"scalar","type":"Int","dbName":"block_id"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"}],"dbName":"block_use","schema":null},"Usage":{"fields":[{"name":"id","kind":"scalar","type":"Int"},{"name":"callHash","kind":"scalar","type":"Bytes","dbName":"call_hash"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"at","kind":"scalar","type":"BigInt"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"modelId","kind":"scalar","type":"Int","dbName":"model_id"},{"name":"providerId","kind":"scalar","type":"Int","dbName":"provider_id"},{"name":"modeId","kind":"scalar","type":"Int","dbName":"mode_id"},{"name":"agentId","kind":"scalar","type":"Int","dbName":"agent_id"},{"name":"branchId","kind":"scalar","type":"Int","dbName":"branch_id"},{"name":"subagentId","kind":"scalar","type":"Int","dbName":"subagent_id"},{"name":"inputTokens","kind":"scalar","type":"Int","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"Int","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"Int","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"Int","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"Int","dbName":"output_tokens"},{"name":"reasoningTokens","kind":"scalar","type":"Int","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"costState","kind":"scalar","type":"Int","dbName":"cost_state"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"visibleChars","kind":"scalar","type":"Int","dbName":"visible_chars"}],"dbName":"usage_fact","schema":null},"UsageQuarter":{"fields":[{"name":"bucket","kind":"scalar","type":"Int"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"modelId","kind":"scalar","type":"Int","dbName":"model_id"},{"name":"modeId","kind":"scalar","type":"Int","dbName":"mode_id"},{"name":"agentId","kind":"scalar","type":"Int","dbName":"agent_id"},{"name":"branchId","kind":"scalar","type":"Int","dbName":"branch_id"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"inputTokens","kind":"scalar","type":"BigInt","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"BigInt","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"BigInt","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"BigInt","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"BigInt","dbName":"output_tokens"},{"name":"reasoning","kind":"scalar","type":"BigInt","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"recordedNano","kind":"scalar","type":"BigInt","dbName":"recorded_nano"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read_nano"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write_nano"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output_nano"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"unpriced","kind":"scalar","type":"Int"},{"name":"partial","kind":"scalar","type":"Int"},{"name":"missingOutput","kind":"scalar","type":"BigInt","dbName":"missing_output"}],"dbName":"usage_quarter","schema":null},"UsageDay":{"fields":[{"name":"day","kind":"scalar","type":"Int"},{"name":"sessionId","kind":"scalar","type":"Int","dbName":"session_id"},{"name":"workspaceId","kind":"scalar","type":"Int","dbName":"workspace_id"},{"name":"modelId","kind":"scalar","type":"Int","dbName":"model_id"},{"name":"modeId","kind":"scalar","type":"Int","dbName":"mode_id"},{"name":"agentId","kind":"scalar","type":"Int","dbName":"agent_id"},{"name":"branchId","kind":"scalar","type":"Int","dbName":"branch_id"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"inputTokens","kind":"scalar","type":"BigInt","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"BigInt","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"BigInt","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"BigInt","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"BigInt","dbName":"output_tokens"},{"name":"reasoning","kind":"scalar","type":"BigInt","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"recordedNano","kind":"scalar","type":"BigInt","dbName":"recorded_nano"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read_nano"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write_nano"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output_nano"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"unpriced","kind":"scalar","type":"Int"},{"name":"partial","kind":"scalar","type":"Int"},{"name":"missingOutput","kind":"scalar","type":"BigInt","dbName":"missing_output"}],"dbName":"usage_day","schema":null},"UsageMargin":{"fields":[{"name":"dimension","kind":"scalar","type":"Int"},{"name":"day","kind":"scalar","type":"Int"},{"name":"valueId","kind":"scalar","type":"Int","dbName":"value_id"},{"name":"shard","kind":"scalar","type":"Int"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"inputTokens","kind":"scalar","type":"BigInt","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"BigInt","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"BigInt","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"BigInt","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"BigInt","dbName":"output_tokens"},{"name":"reasoning","kind":"scalar","type":"BigInt","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"recordedNano","kind":"scalar","type":"BigInt","dbName":"recorded_nano"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read_nano"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write_nano"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output_nano"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"unpriced","kind":"scalar","type":"Int"},{"name":"partial","kind":"scalar","type":"Int"},{"name":"missingOutput","kind":"scalar","type":"BigInt","dbName":"missing_output"}],"dbName":"usage_margin","schema":null},"UsageTotal":{"fields":[{"name":"bucket","kind":"scalar","type":"Int"},{"name":"shard","kind":"scalar","type":"Int"},{"name":"requests","kind":"scalar","type":"Int"},{"name":"inputTokens","kind":"scalar","type":"BigInt","dbName":"input_tokens"},{"name":"cacheRead","kind":"scalar","type":"BigInt","dbName":"cache_read"},{"name":"cacheWrite5m","kind":"scalar","type":"BigInt","dbName":"cache_write_5m"},{"name":"cacheWrite1h","kind":"scalar","type":"BigInt","dbName":"cache_write_1h"},{"name":"outputTokens","kind":"scalar","type":"BigInt","dbName":"output_tokens"},{"name":"reasoning","kind":"scalar","type":"BigInt","dbName":"reasoning_tokens"},{"name":"costNano","kind":"scalar","type":"BigInt","dbName":"cost_nano"},{"name":"recordedNano","kind":"scalar","type":"BigInt","dbName":"recorded_nano"},{"name":"costCacheRead","kind":"scalar","type":"BigInt","dbName":"cost_cache_read_nano"},{"name":"costCacheWrite","kind":"scalar","type":"BigInt","dbName":"cost_cache_write_nano"},{"name":"costOutput","kind":"scalar","type":"BigInt","dbName":"cost_output_nano"},{"name":"savedNano","kind":"scalar","type":"BigInt","dbName":"saved_nano"},{"name":"unpriced","kind":"scalar","type":"Int"},{"name":"partial","kind":"scalar","type":"Int"},{"name":"missingOutput","kind":"scalar","type":"BigInt","dbName":"missing_output"}],"dbName":"usage_total","schema":null}},"enums":{},"types":{}}');
    config2.parameterizationSchema = {
      strings: JSON.parse('["where","ImportedFile.findUnique","ImportedFile.findUniqueOrThrow","orderBy","cursor","ImportedFile.findFirst","ImportedFile.findFirstOrThrow","ImportedFile.findMany","data","ImportedFile.createOne","ImportedFile.createMany","ImportedFile.createManyAndReturn","ImportedFile.updateOne","ImportedFile.updateMany","ImportedFile.updateManyAndReturn","create","update","ImportedFile.upsertOne","ImportedFile.deleteOne","ImportedFile.deleteMany","having","_count","_avg","_sum","_min","_max","ImportedFile.groupBy","ImportedFile.aggregate","SourceRun.findUnique","SourceRun.findUniqueOrThrow","SourceRun.findFirst","SourceRun.findFirstOrThrow","SourceRun.findMany","SourceRun.createOne","SourceRun.createMany","SourceRun.createManyAndReturn","SourceRun.updateOne","SourceRun.updateMany","SourceRun.updateManyAndReturn","SourceRun.upsertOne","SourceRun.deleteOne","SourceRun.deleteMany","SourceRun.groupBy","SourceRun.aggregate","ImportSkip.findUnique","ImportSkip.findUniqueOrThrow","ImportSkip.findFirst","ImportSkip.findFirstOrThrow","ImportSkip.findMany","ImportSkip.createOne","ImportSkip.createMany","ImportSkip.createManyAndReturn","ImportSkip.updateOne","ImportSkip.updateMany","ImportSkip.updateManyAndReturn","ImportSkip.upsertOne","ImportSkip.deleteOne","ImportSkip.deleteMany","ImportSkip.groupBy","ImportSkip.aggregate","State.findUnique","State.findUniqueOrThrow","State.findFirst","State.findFirstOrThrow","State.findMany","State.createOne","State.createMany","State.createManyAndReturn","State.updateOne","State.updateMany","State.updateManyAndReturn","State.upsertOne","State.deleteOne","State.deleteMany","State.groupBy","State.aggregate","NoteVersion.findUnique","NoteVersion.findUniqueOrThrow","NoteVersion.findFirst","NoteVersion.findFirstOrThrow","NoteVersion.findMany","NoteVersion.createOne","NoteVersion.createMany","NoteVersion.createManyAndReturn","NoteVersion.updateOne","NoteVersion.updateMany","NoteVersion.updateManyAndReturn","NoteVersion.upsertOne","NoteVersion.deleteOne","NoteVersion.deleteMany","NoteVersion.groupBy","NoteVersion.aggregate","MemoryVersion.findUnique","MemoryVersion.findUniqueOrThrow","MemoryVersion.findFirst","MemoryVersion.findFirstOrThrow","MemoryVersion.findMany","MemoryVersion.createOne","MemoryVersion.createMany","MemoryVersion.createManyAndReturn","MemoryVersion.updateOne","MemoryVersion.updateMany","MemoryVersion.updateManyAndReturn","MemoryVersion.upsertOne","MemoryVersion.deleteOne","MemoryVersion.deleteMany","MemoryVersion.groupBy","MemoryVersion.aggregate","Checkpoint.findUnique","Checkpoint.findUniqueOrThrow","Checkpoint.findFirst","Checkpoint.findFirstOrThrow","Checkpoint.findMany","Checkpoint.createOne","Checkpoint.createMany","Checkpoint.createManyAndReturn","Checkpoint.updateOne","Checkpoint.updateMany","Checkpoint.updateManyAndReturn","Checkpoint.upsertOne","Checkpoint.deleteOne","Checkpoint.deleteMany","Checkpoint.groupBy","Checkpoint.aggregate","SearchTail.findUnique","SearchTail.findUniqueOrThrow","SearchTail.findFirst","SearchTail.findFirstOrThrow","SearchTail.findMany","SearchTail.createOne","SearchTail.createMany","SearchTail.createManyAndReturn","SearchTail.updateOne","SearchTail.updateMany","SearchTail.updateManyAndReturn","SearchTail.upsertOne","SearchTail.deleteOne","SearchTail.deleteMany","SearchTail.groupBy","SearchTail.aggregate","SearchSegment.findUnique","SearchSegment.findUniqueOrThrow","SearchSegment.findFirst","SearchSegment.findFirstOrThrow","SearchSegment.findMany","SearchSegment.createOne","SearchSegment.createMany","SearchSegment.createManyAndReturn","SearchSegment.updateOne","SearchSegment.updateMany","SearchSegment.updateManyAndReturn","SearchSegment.upsertOne","SearchSegment.deleteOne","SearchSegment.deleteMany","SearchSegment.groupBy","SearchSegment.aggregate","SearchPage.findUnique","SearchPage.findUniqueOrThrow","SearchPage.findFirst","SearchPage.findFirstOrThrow","SearchPage.findMany","SearchPage.createOne","SearchPage.createMany","SearchPage.createManyAndReturn","SearchPage.updateOne","SearchPage.updateMany","SearchPage.updateManyAndReturn","SearchPage.upsertOne","SearchPage.deleteOne","SearchPage.deleteMany","SearchPage.groupBy","SearchPage.aggregate","SearchPending.findUnique","SearchPending.findUniqueOrThrow","SearchPending.findFirst","SearchPending.findFirstOrThrow","SearchPending.findMany","SearchPending.createOne","SearchPending.createMany","SearchPending.createManyAndReturn","SearchPending.updateOne","SearchPending.updateMany","SearchPending.updateManyAndReturn","SearchPending.upsertOne","SearchPending.deleteOne","SearchPending.deleteMany","SearchPending.groupBy","SearchPending.aggregate","Workspace.findUnique","Workspace.findUniqueOrThrow","Workspace.findFirst","Workspace.findFirstOrThrow","Workspace.findMany","Workspace.createOne","Workspace.createMany","Workspace.createManyAndReturn","Workspace.updateOne","Workspace.updateMany","Workspace.updateManyAndReturn","Workspace.upsertOne","Workspace.deleteOne","Workspace.deleteMany","Workspace.groupBy","Workspace.aggregate","Label.findUnique","Label.findUniqueOrThrow","Label.findFirst","Label.findFirstOrThrow","Label.findMany","Label.createOne","Label.createMany","Label.createManyAndReturn","Label.updateOne","Label.updateMany","Label.updateManyAndReturn","Label.upsertOne","Label.deleteOne","Label.deleteMany","Label.groupBy","Label.aggregate","Session.findUnique","Session.findUniqueOrThrow","Session.findFirst","Session.findFirstOrThrow","Session.findMany","Session.createOne","Session.createMany","Session.createManyAndReturn","Session.updateOne","Session.updateMany","Session.updateManyAndReturn","Session.upsertOne","Session.deleteOne","Session.deleteMany","Session.groupBy","Session.aggregate","DeletedSession.findUnique","DeletedSession.findUniqueOrThrow","DeletedSession.findFirst","DeletedSession.findFirstOrThrow","DeletedSession.findMany","DeletedSession.createOne","DeletedSession.createMany","DeletedSession.createManyAndReturn","DeletedSession.updateOne","DeletedSession.updateMany","DeletedSession.updateManyAndReturn","DeletedSession.upsertOne","DeletedSession.deleteOne","DeletedSession.deleteMany","DeletedSession.groupBy","DeletedSession.aggregate","Entry.findUnique","Entry.findUniqueOrThrow","Entry.findFirst","Entry.findFirstOrThrow","Entry.findMany","Entry.createOne","Entry.createMany","Entry.createManyAndReturn","Entry.updateOne","Entry.updateMany","Entry.updateManyAndReturn","Entry.upsertOne","Entry.deleteOne","Entry.deleteMany","Entry.groupBy","Entry.aggregate","Pack.findUnique","Pack.findUniqueOrThrow","Pack.findFirst","Pack.findFirstOrThrow","Pack.findMany","Pack.createOne","Pack.createMany","Pack.createManyAndReturn","Pack.updateOne","Pack.updateMany","Pack.updateManyAndReturn","Pack.upsertOne","Pack.deleteOne","Pack.deleteMany","Pack.groupBy","Pack.aggregate","Block.findUnique","Block.findUniqueOrThrow","Block.findFirst","Block.findFirstOrThrow","Block.findMany","Block.createOne","Block.createMany","Block.createManyAndReturn","Block.updateOne","Block.updateMany","Block.updateManyAndReturn","Block.upsertOne","Block.deleteOne","Block.deleteMany","Block.groupBy","Block.aggregate","BlockUse.findUnique","BlockUse.findUniqueOrThrow","BlockUse.findFirst","BlockUse.findFirstOrThrow","BlockUse.findMany","BlockUse.createOne","BlockUse.createMany","BlockUse.createManyAndReturn","BlockUse.updateOne","BlockUse.updateMany","BlockUse.updateManyAndReturn","BlockUse.upsertOne","BlockUse.deleteOne","BlockUse.deleteMany","BlockUse.groupBy","BlockUse.aggregate","Usage.findUnique","Usage.findUniqueOrThrow","Usage.findFirst","Usage.findFirstOrThrow","Usage.findMany","Usage.createOne","Usage.createMany","Usage.createManyAndReturn","Usage.updateOne","Usage.updateMany","Usage.updateManyAndReturn","Usage.upsertOne","Usage.deleteOne","Usage.deleteMany","Usage.groupBy","Usage.aggregate","UsageQuarter.findUnique","UsageQuarter.findUniqueOrThrow","UsageQuarter.findFirst","UsageQuarter.findFirstOrThrow","UsageQuarter.findMany","UsageQuarter.createOne","UsageQuarter.createMany","UsageQuarter.createManyAndReturn","UsageQuarter.updateOne","UsageQuarter.updateMany","UsageQuarter.updateManyAndReturn","UsageQuarter.upsertOne","UsageQuarter.deleteOne","UsageQuarter.deleteMany","UsageQuarter.groupBy","UsageQuarter.aggregate","UsageDay.findUnique","UsageDay.findUniqueOrThrow","UsageDay.findFirst","UsageDay.findFirstOrThrow","UsageDay.findMany","UsageDay.createOne","UsageDay.createMany","UsageDay.createManyAndReturn","UsageDay.updateOne","UsageDay.updateMany","UsageDay.updateManyAndReturn","UsageDay.upsertOne","UsageDay.deleteOne","UsageDay.deleteMany","UsageDay.groupBy","UsageDay.aggregate","UsageMargin.findUnique","UsageMargin.findUniqueOrThrow","UsageMargin.findFirst","UsageMargin.findFirstOrThrow","UsageMargin.findMany","UsageMargin.createOne","UsageMargin.createMany","UsageMargin.createManyAndReturn","UsageMargin.updateOne","UsageMargin.updateMany","UsageMargin.updateManyAndReturn","UsageMargin.upsertOne","UsageMargin.deleteOne","UsageMargin.deleteMany","UsageMargin.groupBy","UsageMargin.aggregate","UsageTotal.findUnique","UsageTotal.findUniqueOrThrow","UsageTotal.findFirst","UsageTotal.findFirstOrThrow","UsageTotal.findMany","UsageTotal.createOne","UsageTotal.createMany","UsageTotal.createManyAndReturn","UsageTotal.updateOne","UsageTotal.updateMany","UsageTotal.updateManyAndReturn","UsageTotal.upsertOne","UsageTotal.deleteOne","UsageTotal.deleteMany","UsageTotal.groupBy","UsageTotal.aggregate","AND","OR","NOT","bucket","shard","requests","inputTokens","cacheRead","cacheWrite5m","cacheWrite1h","outputTokens","reasoning","costNano","recordedNano","costCacheRead","costCacheWrite","costOutput","savedNano","unpriced","partial","missingOutput","equals","in","notIn","lt","lte","gt","gte","not","bucket_shard","dimension","day","valueId","dimension_day_valueId_shard","sessionId","workspaceId","modelId","modeId","agentId","branchId","day_sessionId_workspaceId_modelId_modeId_agentId_branchId","bucket_sessionId_workspaceId_modelId_modeId_agentId_branchId","id","callHash","at","providerId","subagentId","reasoningTokens","costState","visibleChars","blockId","blockId_sessionId","hash","packId","offset","length","said","rawSize","refs","seq","kind","role","externalId","body","contains","startsWith","endsWith","sessionId_seq","sessionId_externalId","key","deletedAt","title","titled","forkedFrom","startedAt","updatedAt","nextSeq","messageCount","favourite","redactions","value","kind_value","path","name","fromSeq","untilSeq","level","messages","bytes","head","entryId","workspace","commit","files","text","confidence","examples","messageId","firstSeenAt","lastConfirmedAt","applications","confirmations","contradictions","source","validFrom","validTo","ended","replacedBy","words","createdAt","scope","scope_key","line","reason","count","fileId","firstLine","lineCount","agent","version","identity","size","modifiedAt","fingerprint","parserState","set","increment","decrement","multiply","divide"]'),
      graph: "uAbxAYADDowDAAC2BQAwjQMAAAQAEI4DAAC2BQAwtgMCAAAAAcIDBADjBAAh3gMBAAAAAfwDAgDiBAAhggQBAJUFACGDBAIA4gQAIYQEAQCVBQAhhQQEAOMEACGGBAQA4wQAIYcEAQCVBQAhiAQAAfgEACEBAAAAAQAgAQAAAAEAIA6MAwAAtgUAMI0DAAAEABCOAwAAtgUAMLYDAgDiBAAhwgMEAOMEACHeAwEAlQUAIfwDAgDiBAAhggQBAJUFACGDBAIA4gQAIYQEAQCVBQAhhQQEAOMEACGGBAQA4wQAIYcEAQCVBQAhiAQAAfgEACEAAwAAAAQAIAMAAAUAMAQAAAEAIAMAAAAEACADAAAFADAEAAABACADAAAABAAgAwAABQAwBAAAAQAgC7YDAgAAAAHCAwQAAAAB3gMBAAAAAfwDAgAAAAGCBAEAAAABgwQCAAAAAYQEAQAAAAGFBAQAAAABhgQEAAAAAYcEAQAAAAGIBAABAAABAQgAAAkAIAu2AwIAAAABwgMEAAAAAd4DAQAAAAH8AwIAAAABggQBAAAAAYMEAgAAAAGEBAEAAAABhQQEAAAAAYYEBAAAAAGHBAEAAAABiAQAAQAAAQEIAAALADABCAAACwAwC7YDAgC8BQAhwgMEAL0FACHeAwEA8QUAIfwDAgC8BQAhggQBAPEFACGDBAIAvAUAIYQEAQDxBQAhhQQEAL0FACGGBAQAvQUAIYcEAQDxBQAhiAQAAdMFACECAAAAAQAgCAAADgAgC7YDAgC8BQAhwgMEAL0FACHeAwEA8QUAIfwDAgC8BQAhggQBAPEFACGDBAIAvAUAIYQEAQDxBQAhhQQEAL0FACGGBAQAvQUAIYcEAQDxBQAhiAQAAdMFACECAAAABAAgCAAAEAAgAgAAAAQAIAgAABAAIAMAAAABACAPAAAJACAQAAAOACABAAAAAQAgAQAAAAQAIAUVAAC0BgAgFgAAtQYAIBcAALgGACAYAAC3BgAgGQAAtgYAIA6MAwAAtQUAMI0DAAAXABCOAwAAtQUAMLYDAgDaBAAhwgMEANsEACHeAwEAkQUAIfwDAgDaBAAhggQBAJEFACGDBAIA2gQAIYQEAQCRBQAhhQQEANsEACGGBAQA2wQAIYcEAQCRBQAhiAQAAe8EACEDAAAABAAgAwAAFgAwFAAAFwAgAwAAAAQAIAMAAAUAMAQAAAEAIAyMAwAAtAUAMI0DAAAdABCOAwAAtAUAMK4DAgDiBAAhtgMCAAAAAcEDAgDiBAAhwgMCAOIEACHDAwIA4gQAIeQDAgDiBAAh_wMCAOIEACGABAIA4gQAIYEEAgDiBAAhAQAAABoAIAEAAAAaACAMjAMAALQFADCNAwAAHQAQjgMAALQFADCuAwIA4gQAIbYDAgDiBAAhwQMCAOIEACHCAwIA4gQAIcMDAgDiBAAh5AMCAOIEACH_AwIA4gQAIYAEAgDiBAAhgQQCAOIEACEAAwAAAB0AIAMAAB4AMAQAABoAIAMAAAAdACADAAAeADAEAAAaACADAAAAHQAgAwAAHgAwBAAAGgAgCa4DAgAAAAG2AwIAAAABwQMCAAAAAcIDAgAAAAHDAwIAAAAB5AMCAAAAAf8DAgAAAAGABAIAAAABgQQCAAAAAQEIAAAiACAJrgMCAAAAAbYDAgAAAAHBAwIAAAABwgMCAAAAAcMDAgAAAAHkAwIAAAAB_wMCAAAAAYAEAgAAAAGBBAIAAAABAQgAACQAMAEIAAAkADAJrgMCALwFACG2AwIAvAUAIcEDAgC8BQAhwgMCALwFACHDAwIAvAUAIeQDAgC8BQAh_wMCALwFACGABAIAvAUAIYEEAgC8BQAhAgAAABoAIAgAACcAIAmuAwIAvAUAIbYDAgC8BQAhwQMCALwFACHCAwIAvAUAIcMDAgC8BQAh5AMCALwFACH_AwIAvAUAIYAEAgC8BQAhgQQCALwFACECAAAAHQAgCAAAKQAgAgAAAB0AIAgAACkAIAMAAAAaACAPAAAiACAQAAAnACABAAAAGgAgAQAAAB0AIAUVAACvBgAgFgAAsAYAIBcAALMGACAYAACyBgAgGQAAsQYAIAyMAwAAswUAMI0DAAAwABCOAwAAswUAMK4DAgDaBAAhtgMCANoEACHBAwIA2gQAIcIDAgDaBAAhwwMCANoEACHkAwIA2gQAIf8DAgDaBAAhgAQCANoEACGBBAIA2gQAIQMAAAAdACADAAAvADAUAAAwACADAAAAHQAgAwAAHgAwBAAAGgAgCIwDAACyBQAwjQMAADYAEI4DAACyBQAwtgMCAAAAAd4DAQCVBQAh_AMCAIsFACH9AwEAlQUAIf4DAgDiBAAhAQAAADMAIAEAAAAzACAIjAMAALIFADCNAwAANgAQjgMAALIFADC2AwIA4gQAId4DAQCVBQAh_AMCAIsFACH9AwEAlQUAIf4DAgDiBAAhAfwDAADNBQAgAwAAADYAIAMAADcAMAQAADMAIAMAAAA2ACADAAA3ADAEAAAzACADAAAANgAgAwAANwAwBAAAMwAgBbYDAgAAAAHeAwEAAAAB_AMCAAAAAf0DAQAAAAH-AwIAAAABAQgAADsAIAW2AwIAAAAB3gMBAAAAAfwDAgAAAAH9AwEAAAAB_gMCAAAAAQEIAAA9ADABCAAAPQAwBbYDAgC8BQAh3gMBAPEFACH8AwIA6QUAIf0DAQDxBQAh_gMCALwFACECAAAAMwAgCAAAQAAgBbYDAgC8BQAh3gMBAPEFACH8AwIA6QUAIf0DAQDxBQAh_gMCALwFACECAAAANgAgCAAAQgAgAgAAADYAIAgAAEIAIAMAAAAzACAPAAA7ACAQAABAACABAAAAMwAgAQAAADYAIAYVAACqBgAgFgAAqwYAIBcAAK4GACAYAACtBgAgGQAArAYAIPwDAADNBQAgCIwDAACxBQAwjQMAAEkAEI4DAACxBQAwtgMCANoEACHeAwEAkQUAIfwDAgCCBQAh_QMBAJEFACH-AwIA2gQAIQMAAAA2ACADAABIADAUAABJACADAAAANgAgAwAANwAwBAAAMwAgCIwDAACvBQAwjQMAAE8AEI4DAACvBQAw0QMBAJUFACHXAwQA4wQAIdwDAQCVBQAh-gMBAJUFACH7AwAAsAUAIAEAAABMACABAAAATAAgB4wDAACvBQAwjQMAAE8AEI4DAACvBQAw0QMBAJUFACHXAwQA4wQAIdwDAQCVBQAh-gMBAJUFACEAAwAAAE8AIAMAAFAAMAQAAEwAIAMAAABPACADAABQADAEAABMACADAAAATwAgAwAAUAAwBAAATAAgBNEDAQAAAAHXAwQAAAAB3AMBAAAAAfoDAQAAAAEBCAAAVAAgBNEDAQAAAAHXAwQAAAAB3AMBAAAAAfoDAQAAAAEBCAAAVgAwAQgAAFYAMATRAwEA8QUAIdcDBAC9BQAh3AMBAPEFACH6AwEA8QUAIQIAAABMACAIAABZACAE0QMBAPEFACHXAwQAvQUAIdwDAQDxBQAh-gMBAPEFACECAAAATwAgCAAAWwAgAgAAAE8AIAgAAFsAIAMAAABMACAPAABUACAQAABZACABAAAATAAgAQAAAE8AIAUVAAClBgAgFgAApgYAIBcAAKkGACAYAACoBgAgGQAApwYAIAeMAwAArgUAMI0DAABiABCOAwAArgUAMNEDAQCRBQAh1wMEANsEACHcAwEAkQUAIfoDAQCRBQAhAwAAAE8AIAMAAGEAMBQAAGIAIAMAAABPACADAABQADAEAABMACALjAMAAK0FADCNAwAAaAAQjgMAAK0FADCuAwEAjAUAIbYDAgAAAAHRAwEAlQUAIecDAQCVBQAh6gMBAJUFACH0AwQA4wQAIfUDBAD5BAAh-QMEAOMEACEBAAAAZQAgAQAAAGUAIAuMAwAArQUAMI0DAABoABCOAwAArQUAMK4DAQCMBQAhtgMCAOIEACHRAwEAlQUAIecDAQCVBQAh6gMBAJUFACH0AwQA4wQAIfUDBAD5BAAh-QMEAOMEACECrgMAAM0FACD1AwAAzQUAIAMAAABoACADAABpADAEAABlACADAAAAaAAgAwAAaQAwBAAAZQAgAwAAAGgAIAMAAGkAMAQAAGUAIAiuAwEAAAABtgMCAAAAAdEDAQAAAAHnAwEAAAAB6gMBAAAAAfQDBAAAAAH1AwQAAAAB-QMEAAAAAQEIAABtACAIrgMBAAAAAbYDAgAAAAHRAwEAAAAB5wMBAAAAAeoDAQAAAAH0AwQAAAAB9QMEAAAAAfkDBAAAAAEBCAAAbwAwAQgAAG8AMAiuAwEA6gUAIbYDAgC8BQAh0QMBAPEFACHnAwEA8QUAIeoDAQDxBQAh9AMEAL0FACH1AwQA1AUAIfkDBAC9BQAhAgAAAGUAIAgAAHIAIAiuAwEA6gUAIbYDAgC8BQAh0QMBAPEFACHnAwEA8QUAIeoDAQDxBQAh9AMEAL0FACH1AwQA1AUAIfkDBAC9BQAhAgAAAGgAIAgAAHQAIAIAAABoACAIAAB0ACADAAAAZQAgDwAAbQAgEAAAcgAgAQAAAGUAIAEAAABoACAHFQAAoAYAIBYAAKEGACAXAACkBgAgGAAAowYAIBkAAKIGACCuAwAAzQUAIPUDAADNBQAgC4wDAACsBQAwjQMAAHsAEI4DAACsBQAwrgMBAIMFACG2AwIA2gQAIdEDAQCRBQAh5wMBAJEFACHqAwEAkQUAIfQDBADbBAAh9QMEAPAEACH5AwQA2wQAIQMAAABoACADAAB6ADAUAAB7ACADAAAAaAAgAwAAaQAwBAAAZQAgGIwDAACqBQAwjQMAAIEBABCOAwAAqgUAMK4DAQCMBQAhtgMCAAAAAcgDAQCVBQAh5gMBAJUFACHnAwEAlQUAIegDAQCMBQAh6gMBAJUFACHrAwgAqwUAIewDAQCVBQAh7QMBAIwFACHuAwQA4wQAIe8DBADjBAAh8AMCAOIEACHxAwIA4gQAIfIDAgDiBAAh8wMBAJUFACH0AwQA4wQAIfUDBAD5BAAh9gMBAIwFACH3AwEAjAUAIfgDAQCVBQAhAQAAAH4AIAEAAAB-ACAYjAMAAKoFADCNAwAAgQEAEI4DAACqBQAwrgMBAIwFACG2AwIA4gQAIcgDAQCVBQAh5gMBAJUFACHnAwEAlQUAIegDAQCMBQAh6gMBAJUFACHrAwgAqwUAIewDAQCVBQAh7QMBAIwFACHuAwQA4wQAIe8DBADjBAAh8AMCAOIEACHxAwIA4gQAIfIDAgDiBAAh8wMBAJUFACH0AwQA4wQAIfUDBAD5BAAh9gMBAIwFACH3AwEAjAUAIfgDAQCVBQAhBq4DAADNBQAg6AMAAM0FACDtAwAAzQUAIPUDAADNBQAg9gMAAM0FACD3AwAAzQUAIAMAAACBAQAgAwAAggEAMAQAAH4AIAMAAACBAQAgAwAAggEAMAQAAH4AIAMAAACBAQAgAwAAggEAMAQAAH4AIBWuAwEAAAABtgMCAAAAAcgDAQAAAAHmAwEAAAAB5wMBAAAAAegDAQAAAAHqAwEAAAAB6wMIAAAAAewDAQAAAAHtAwEAAAAB7gMEAAAAAe8DBAAAAAHwAwIAAAAB8QMCAAAAAfIDAgAAAAHzAwEAAAAB9AMEAAAAAfUDBAAAAAH2AwEAAAAB9wMBAAAAAfgDAQAAAAEBCAAAhgEAIBWuAwEAAAABtgMCAAAAAcgDAQAAAAHmAwEAAAAB5wMBAAAAAegDAQAAAAHqAwEAAAAB6wMIAAAAAewDAQAAAAHtAwEAAAAB7gMEAAAAAe8DBAAAAAHwAwIAAAAB8QMCAAAAAfIDAgAAAAHzAwEAAAAB9AMEAAAAAfUDBAAAAAH2AwEAAAAB9wMBAAAAAfgDAQAAAAEBCAAAiAEAMAEIAACIAQAwFa4DAQDqBQAhtgMCALwFACHIAwEA8QUAIeYDAQDxBQAh5wMBAPEFACHoAwEA6gUAIeoDAQDxBQAh6wMIAJ8GACHsAwEA8QUAIe0DAQDqBQAh7gMEAL0FACHvAwQAvQUAIfADAgC8BQAh8QMCALwFACHyAwIAvAUAIfMDAQDxBQAh9AMEAL0FACH1AwQA1AUAIfYDAQDqBQAh9wMBAOoFACH4AwEA8QUAIQIAAAB-ACAIAACLAQAgFa4DAQDqBQAhtgMCALwFACHIAwEA8QUAIeYDAQDxBQAh5wMBAPEFACHoAwEA6gUAIeoDAQDxBQAh6wMIAJ8GACHsAwEA8QUAIe0DAQDqBQAh7gMEAL0FACHvAwQAvQUAIfADAgC8BQAh8QMCALwFACHyAwIAvAUAIfMDAQDxBQAh9AMEAL0FACH1AwQA1AUAIfYDAQDqBQAh9wMBAOoFACH4AwEA8QUAIQIAAACBAQAgCAAAjQEAIAIAAACBAQAgCAAAjQEAIAMAAAB-ACAPAACGAQAgEAAAiwEAIAEAAAB-ACABAAAAgQEAIAsVAACaBgAgFgAAmwYAIBcAAJ4GACAYAACdBgAgGQAAnAYAIK4DAADNBQAg6AMAAM0FACDtAwAAzQUAIPUDAADNBQAg9gMAAM0FACD3AwAAzQUAIBiMAwAApwUAMI0DAACUAQAQjgMAAKcFADCuAwEAgwUAIbYDAgDaBAAhyAMBAJEFACHmAwEAkQUAIecDAQCRBQAh6AMBAIMFACHqAwEAkQUAIesDCACoBQAh7AMBAJEFACHtAwEAgwUAIe4DBADbBAAh7wMEANsEACHwAwIA2gQAIfEDAgDaBAAh8gMCANoEACHzAwEAkQUAIfQDBADbBAAh9QMEAPAEACH2AwEAgwUAIfcDAQCDBQAh-AMBAJEFACEDAAAAgQEAIAMAAJMBADAUAACUAQAgAwAAAIEBACADAACCAQAwBAAAfgAgCowDAACmBQAwjQMAAJoBABCOAwAApgUAMK4DAQCMBQAhtgMBAAAAAbgDBADjBAAh5AMEAOMEACHnAwEAlQUAIegDAQCVBQAh6QMCAOIEACEBAAAAlwEAIAEAAACXAQAgCowDAACmBQAwjQMAAJoBABCOAwAApgUAMK4DAQCMBQAhtgMBAJUFACG4AwQA4wQAIeQDBADjBAAh5wMBAJUFACHoAwEAlQUAIekDAgDiBAAhAa4DAADNBQAgAwAAAJoBACADAACbAQAwBAAAlwEAIAMAAACaAQAgAwAAmwEAMAQAAJcBACADAAAAmgEAIAMAAJsBADAEAACXAQAgB64DAQAAAAG2AwEAAAABuAMEAAAAAeQDBAAAAAHnAwEAAAAB6AMBAAAAAekDAgAAAAEBCAAAnwEAIAeuAwEAAAABtgMBAAAAAbgDBAAAAAHkAwQAAAAB5wMBAAAAAegDAQAAAAHpAwIAAAABAQgAAKEBADABCAAAoQEAMAeuAwEA6gUAIbYDAQDxBQAhuAMEAL0FACHkAwQAvQUAIecDAQDxBQAh6AMBAPEFACHpAwIAvAUAIQIAAACXAQAgCAAApAEAIAeuAwEA6gUAIbYDAQDxBQAhuAMEAL0FACHkAwQAvQUAIecDAQDxBQAh6AMBAPEFACHpAwIAvAUAIQIAAACaAQAgCAAApgEAIAIAAACaAQAgCAAApgEAIAMAAACXAQAgDwAAnwEAIBAAAKQBACABAAAAlwEAIAEAAACaAQAgBhUAAJUGACAWAACWBgAgFwAAmQYAIBgAAJgGACAZAACXBgAgrgMAAM0FACAKjAMAAKUFADCNAwAArQEAEI4DAAClBQAwrgMBAIMFACG2AwEAkQUAIbgDBADbBAAh5AMEANsEACHnAwEAkQUAIegDAQCRBQAh6QMCANoEACEDAAAAmgEAIAMAAKwBADAUAACtAQAgAwAAAJoBACADAACbAQAwBAAAlwEAIAgIAAH4BAAhjAMAAKQFADCNAwAAswEAEI4DAACkBQAwrgMCAOIEACGvAwIA4gQAIccDAgDiBAAh5gMCAAAAAQEAAACwAQAgAQAAALABACAICAAB-AQAIYwDAACkBQAwjQMAALMBABCOAwAApAUAMK4DAgDiBAAhrwMCAOIEACHHAwIA4gQAIeYDAgDiBAAhAAMAAACzAQAgAwAAtAEAMAQAALABACADAAAAswEAIAMAALQBADAEAACwAQAgAwAAALMBACADAAC0AQAwBAAAsAEAIAUIAAEAAAGuAwIAAAABrwMCAAAAAccDAgAAAAHmAwIAAAABAQgAALgBACAFCAABAAABrgMCAAAAAa8DAgAAAAHHAwIAAAAB5gMCAAAAAQEIAAC6AQAwAQgAALoBADAFCAAB0wUAIa4DAgC8BQAhrwMCALwFACHHAwIAvAUAIeYDAgC8BQAhAgAAALABACAIAAC9AQAgBQgAAdMFACGuAwIAvAUAIa8DAgC8BQAhxwMCALwFACHmAwIAvAUAIQIAAACzAQAgCAAAvwEAIAIAAACzAQAgCAAAvwEAIAMAAACwAQAgDwAAuAEAIBAAAL0BACABAAAAsAEAIAEAAACzAQAgBRUAAJAGACAWAACRBgAgFwAAlAYAIBgAAJMGACAZAACSBgAgCAgAAe8EACGMAwAAowUAMI0DAADGAQAQjgMAAKMFADCuAwIA2gQAIa8DAgDaBAAhxwMCANoEACHmAwIA2gQAIQMAAACzAQAgAwAAxQEAMBQAAMYBACADAAAAswEAIAMAALQBADAEAACwAQAgCYwDAACiBQAwjQMAAMwBABCOAwAAogUAMK8DAgDiBAAhtgMCAAAAAeIDAgDiBAAh4wMCAOIEACHkAwIA4gQAIeUDAAH4BAAhAQAAAMkBACABAAAAyQEAIAmMAwAAogUAMI0DAADMAQAQjgMAAKIFADCvAwIA4gQAIbYDAgDiBAAh4gMCAOIEACHjAwIA4gQAIeQDAgDiBAAh5QMAAfgEACEAAwAAAMwBACADAADNAQAwBAAAyQEAIAMAAADMAQAgAwAAzQEAMAQAAMkBACADAAAAzAEAIAMAAM0BADAEAADJAQAgBq8DAgAAAAG2AwIAAAAB4gMCAAAAAeMDAgAAAAHkAwIAAAAB5QMAAQAAAQEIAADRAQAgBq8DAgAAAAG2AwIAAAAB4gMCAAAAAeMDAgAAAAHkAwIAAAAB5QMAAQAAAQEIAADTAQAwAQgAANMBADAGrwMCALwFACG2AwIAvAUAIeIDAgC8BQAh4wMCALwFACHkAwIAvAUAIeUDAAHTBQAhAgAAAMkBACAIAADWAQAgBq8DAgC8BQAhtgMCALwFACHiAwIAvAUAIeMDAgC8BQAh5AMCALwFACHlAwAB0wUAIQIAAADMAQAgCAAA2AEAIAIAAADMAQAgCAAA2AEAIAMAAADJAQAgDwAA0QEAIBAAANYBACABAAAAyQEAIAEAAADMAQAgBRUAAIsGACAWAACMBgAgFwAAjwYAIBgAAI4GACAZAACNBgAgCYwDAAChBQAwjQMAAN8BABCOAwAAoQUAMK8DAgDaBAAhtgMCANoEACHiAwIA2gQAIeMDAgDaBAAh5AMCANoEACHlAwAB7wQAIQMAAADMAQAgAwAA3gEAMBQAAN8BACADAAAAzAEAIAMAAM0BADAEAADJAQAgBQgAAfgEACGMAwAAoAUAMI0DAADlAQAQjgMAAKAFADC2AwIAAAABAQAAAOIBACABAAAA4gEAIAUIAAH4BAAhjAMAAKAFADCNAwAA5QEAEI4DAACgBQAwtgMCAOIEACEAAwAAAOUBACADAADmAQAwBAAA4gEAIAMAAADlAQAgAwAA5gEAMAQAAOIBACADAAAA5QEAIAMAAOYBADAEAADiAQAgAggAAQAAAbYDAgAAAAEBCAAA6gEAIAIIAAEAAAG2AwIAAAABAQgAAOwBADABCAAA7AEAMAIIAAHTBQAhtgMCALwFACECAAAA4gEAIAgAAO8BACACCAAB0wUAIbYDAgC8BQAhAgAAAOUBACAIAADxAQAgAgAAAOUBACAIAADxAQAgAwAAAOIBACAPAADqAQAgEAAA7wEAIAEAAADiAQAgAQAAAOUBACAFFQAAhgYAIBYAAIcGACAXAACKBgAgGAAAiQYAIBkAAIgGACAFCAAB7wQAIYwDAACfBQAwjQMAAPgBABCOAwAAnwUAMLYDAgDaBAAhAwAAAOUBACADAAD3AQAwFAAA-AEAIAMAAADlAQAgAwAA5gEAMAQAAOIBACAGjAMAAJ4FADCNAwAA_gEAEI4DAACeBQAwrgMCAAAAAeADAgDiBAAh4QMCAOIEACEBAAAA-wEAIAEAAAD7AQAgBowDAACeBQAwjQMAAP4BABCOAwAAngUAMK4DAgDiBAAh4AMCAOIEACHhAwIA4gQAIQADAAAA_gEAIAMAAP8BADAEAAD7AQAgAwAAAP4BACADAAD_AQAwBAAA-wEAIAMAAAD-AQAgAwAA_wEAMAQAAPsBACADrgMCAAAAAeADAgAAAAHhAwIAAAABAQgAAIMCACADrgMCAAAAAeADAgAAAAHhAwIAAAABAQgAAIUCADABCAAAhQIAMAOuAwIAvAUAIeADAgC8BQAh4QMCALwFACECAAAA-wEAIAgAAIgCACADrgMCALwFACHgAwIAvAUAIeEDAgC8BQAhAgAAAP4BACAIAACKAgAgAgAAAP4BACAIAACKAgAgAwAAAPsBACAPAACDAgAgEAAAiAIAIAEAAAD7AQAgAQAAAP4BACAFFQAAgQYAIBYAAIIGACAXAACFBgAgGAAAhAYAIBkAAIMGACAGjAMAAJ0FADCNAwAAkQIAEI4DAACdBQAwrgMCANoEACHgAwIA2gQAIeEDAgDaBAAhAwAAAP4BACADAACQAgAwFAAAkQIAIAMAAAD-AQAgAwAA_wEAMAQAAPsBACAGjAMAAJwFADCNAwAAlwIAEI4DAACcBQAwtgMCAAAAAd4DAQAAAAHfAwEAlQUAIQEAAACUAgAgAQAAAJQCACAGjAMAAJwFADCNAwAAlwIAEI4DAACcBQAwtgMCAOIEACHeAwEAlQUAId8DAQCVBQAhAAMAAACXAgAgAwAAmAIAMAQAAJQCACADAAAAlwIAIAMAAJgCADAEAACUAgAgAwAAAJcCACADAACYAgAwBAAAlAIAIAO2AwIAAAAB3gMBAAAAAd8DAQAAAAEBCAAAnAIAIAO2AwIAAAAB3gMBAAAAAd8DAQAAAAEBCAAAngIAMAEIAACeAgAwA7YDAgC8BQAh3gMBAPEFACHfAwEA8QUAIQIAAACUAgAgCAAAoQIAIAO2AwIAvAUAId4DAQDxBQAh3wMBAPEFACECAAAAlwIAIAgAAKMCACACAAAAlwIAIAgAAKMCACADAAAAlAIAIA8AAJwCACAQAAChAgAgAQAAAJQCACABAAAAlwIAIAUVAAD8BQAgFgAA_QUAIBcAAIAGACAYAAD_BQAgGQAA_gUAIAaMAwAAmwUAMI0DAACqAgAQjgMAAJsFADC2AwIA2gQAId4DAQCRBQAh3wMBAJEFACEDAAAAlwIAIAMAAKkCADAUAACqAgAgAwAAAJcCACADAACYAgAwBAAAlAIAIAeMAwAAmQUAMI0DAACwAgAQjgMAAJkFADC2AwIAAAAByAMCAOIEACHcAwEAlQUAId0DAACaBQAgAQAAAK0CACABAAAArQIAIAaMAwAAmQUAMI0DAACwAgAQjgMAAJkFADC2AwIA4gQAIcgDAgDiBAAh3AMBAJUFACEAAwAAALACACADAACxAgAwBAAArQIAIAMAAACwAgAgAwAAsQIAMAQAAK0CACADAAAAsAIAIAMAALECADAEAACtAgAgA7YDAgAAAAHIAwIAAAAB3AMBAAAAAQEIAAC1AgAgA7YDAgAAAAHIAwIAAAAB3AMBAAAAAQEIAAC3AgAwAQgAALcCADADtgMCALwFACHIAwIAvAUAIdwDAQDxBQAhAgAAAK0CACAIAAC6AgAgA7YDAgC8BQAhyAMCALwFACHcAwEA8QUAIQIAAACwAgAgCAAAvAIAIAIAAACwAgAgCAAAvAIAIAMAAACtAgAgDwAAtQIAIBAAALoCACABAAAArQIAIAEAAACwAgAgBRUAAPcFACAWAAD4BQAgFwAA-wUAIBgAAPoFACAZAAD5BQAgBowDAACYBQAwjQMAAMMCABCOAwAAmAUAMLYDAgDaBAAhyAMCANoEACHcAwEAkQUAIQMAAACwAgAgAwAAwgIAMBQAAMMCACADAAAAsAIAIAMAALECADAEAACtAgAgFYwDAACXBQAwjQMAAMkCABCOAwAAlwUAMJEDAgDiBAAhmAMEAOMEACGeAwIA4gQAIa8DAgDiBAAhsgMCAOIEACGzAwIA4gQAIbYDAgAAAAHKAwEAlQUAIdEDAQAAAAHTAwEAjAUAIdQDAgDiBAAh1QMBAIwFACHWAwQA-QQAIdcDBAD5BAAh2AMCAOIEACHZAwIA4gQAIdoDAgDiBAAh2wMCAOIEACEBAAAAxgIAIAEAAADGAgAgFYwDAACXBQAwjQMAAMkCABCOAwAAlwUAMJEDAgDiBAAhmAMEAOMEACGeAwIA4gQAIa8DAgDiBAAhsgMCAOIEACGzAwIA4gQAIbYDAgDiBAAhygMBAJUFACHRAwEAlQUAIdMDAQCMBQAh1AMCAOIEACHVAwEAjAUAIdYDBAD5BAAh1wMEAPkEACHYAwIA4gQAIdkDAgDiBAAh2gMCAOIEACHbAwIA4gQAIQTTAwAAzQUAINUDAADNBQAg1gMAAM0FACDXAwAAzQUAIAMAAADJAgAgAwAAygIAMAQAAMYCACADAAAAyQIAIAMAAMoCADAEAADGAgAgAwAAAMkCACADAADKAgAwBAAAxgIAIBKRAwIAAAABmAMEAAAAAZ4DAgAAAAGvAwIAAAABsgMCAAAAAbMDAgAAAAG2AwIAAAABygMBAAAAAdEDAQAAAAHTAwEAAAAB1AMCAAAAAdUDAQAAAAHWAwQAAAAB1wMEAAAAAdgDAgAAAAHZAwIAAAAB2gMCAAAAAdsDAgAAAAEBCAAAzgIAIBKRAwIAAAABmAMEAAAAAZ4DAgAAAAGvAwIAAAABsgMCAAAAAbMDAgAAAAG2AwIAAAABygMBAAAAAdEDAQAAAAHTAwEAAAAB1AMCAAAAAdUDAQAAAAHWAwQAAAAB1wMEAAAAAdgDAgAAAAHZAwIAAAAB2gMCAAAAAdsDAgAAAAEBCAAA0AIAMAEIAADQAgAwEpEDAgC8BQAhmAMEAL0FACGeAwIAvAUAIa8DAgC8BQAhsgMCALwFACGzAwIAvAUAIbYDAgC8BQAhygMBAPEFACHRAwEA8QUAIdMDAQDqBQAh1AMCALwFACHVAwEA6gUAIdYDBADUBQAh1wMEANQFACHYAwIAvAUAIdkDAgC8BQAh2gMCALwFACHbAwIAvAUAIQIAAADGAgAgCAAA0wIAIBKRAwIAvAUAIZgDBAC9BQAhngMCALwFACGvAwIAvAUAIbIDAgC8BQAhswMCALwFACG2AwIAvAUAIcoDAQDxBQAh0QMBAPEFACHTAwEA6gUAIdQDAgC8BQAh1QMBAOoFACHWAwQA1AUAIdcDBADUBQAh2AMCALwFACHZAwIAvAUAIdoDAgC8BQAh2wMCALwFACECAAAAyQIAIAgAANUCACACAAAAyQIAIAgAANUCACADAAAAxgIAIA8AAM4CACAQAADTAgAgAQAAAMYCACABAAAAyQIAIAkVAADyBQAgFgAA8wUAIBcAAPYFACAYAAD1BQAgGQAA9AUAINMDAADNBQAg1QMAAM0FACDWAwAAzQUAINcDAADNBQAgFYwDAACWBQAwjQMAANwCABCOAwAAlgUAMJEDAgDaBAAhmAMEANsEACGeAwIA2gQAIa8DAgDaBAAhsgMCANoEACGzAwIA2gQAIbYDAgDaBAAhygMBAJEFACHRAwEAkQUAIdMDAQCDBQAh1AMCANoEACHVAwEAgwUAIdYDBADwBAAh1wMEAPAEACHYAwIA2gQAIdkDAgDaBAAh2gMCANoEACHbAwIA2gQAIQMAAADJAgAgAwAA2wIAMBQAANwCACADAAAAyQIAIAMAAMoCADAEAADGAgAgBYwDAACUBQAwjQMAAOICABCOAwAAlAUAMNEDAQAAAAHSAwQA4wQAIQEAAADfAgAgAQAAAN8CACAFjAMAAJQFADCNAwAA4gIAEI4DAACUBQAw0QMBAJUFACHSAwQA4wQAIQADAAAA4gIAIAMAAOMCADAEAADfAgAgAwAAAOICACADAADjAgAwBAAA3wIAIAMAAADiAgAgAwAA4wIAMAQAAN8CACAC0QMBAAAAAdIDBAAAAAEBCAAA5wIAIALRAwEAAAAB0gMEAAAAAQEIAADpAgAwAQgAAOkCADAC0QMBAPEFACHSAwQAvQUAIQIAAADfAgAgCAAA7AIAIALRAwEA8QUAIdIDBAC9BQAhAgAAAOICACAIAADuAgAgAgAAAOICACAIAADuAgAgAwAAAN8CACAPAADnAgAgEAAA7AIAIAEAAADfAgAgAQAAAOICACAFFQAA7AUAIBYAAO0FACAXAADwBQAgGAAA7wUAIBkAAO4FACAFjAMAAJAFADCNAwAA9QIAEI4DAACQBQAw0QMBAJEFACHSAwQA2wQAIQMAAADiAgAgAwAA9AIAMBQAAPUCACADAAAA4gIAIAMAAOMCADAEAADfAgAgEIwDAACKBQAwjQMAAPsCABCOAwAAigUAMK4DAgDiBAAhtgMCAAAAAbgDBAD5BAAhwQMCAIsFACHCAwIAiwUAIcMDAgCLBQAhxwMCAOIEACHIAwIA4gQAIckDAgCLBQAhygMBAIwFACHLAwABjQUAIc8DAACOBQAg0AMAAI8FACABAAAA-AIAIAEAAAD4AgAgDowDAACKBQAwjQMAAPsCABCOAwAAigUAMK4DAgDiBAAhtgMCAOIEACG4AwQA-QQAIcEDAgCLBQAhwgMCAIsFACHDAwIAiwUAIccDAgDiBAAhyAMCAOIEACHJAwIAiwUAIcoDAQCMBQAhywMAAY0FACEHuAMAAM0FACDBAwAAzQUAIMIDAADNBQAgwwMAAM0FACDJAwAAzQUAIMoDAADNBQAgywMAAM0FACADAAAA-wIAIAMAAPwCADAEAAD4AgAgAwAAAPsCACADAAD8AgAwBAAA-AIAIAMAAAD7AgAgAwAA_AIAMAQAAPgCACALrgMCAAAAAbYDAgAAAAG4AwQAAAABwQMCAAAAAcIDAgAAAAHDAwIAAAABxwMCAAAAAcgDAgAAAAHJAwIAAAABygMBAAAAAcsDAAEAAAEBCAAAgAMAIAuuAwIAAAABtgMCAAAAAbgDBAAAAAHBAwIAAAABwgMCAAAAAcMDAgAAAAHHAwIAAAAByAMCAAAAAckDAgAAAAHKAwEAAAABywMAAQAAAQEIAACCAwAwAQgAAIIDADALrgMCALwFACG2AwIAvAUAIbgDBADUBQAhwQMCAOkFACHCAwIA6QUAIcMDAgDpBQAhxwMCALwFACHIAwIAvAUAIckDAgDpBQAhygMBAOoFACHLAwAB6wUAIQIAAAD4AgAgCAAAhQMAIAuuAwIAvAUAIbYDAgC8BQAhuAMEANQFACHBAwIA6QUAIcIDAgDpBQAhwwMCAOkFACHHAwIAvAUAIcgDAgC8BQAhyQMCAOkFACHKAwEA6gUAIcsDAAHrBQAhAgAAAPsCACAIAACHAwAgAgAAAPsCACAIAACHAwAgAwAAAPgCACAPAACAAwAgEAAAhQMAIAEAAAD4AgAgAQAAAPsCACAMFQAA5AUAIBYAAOUFACAXAADoBQAgGAAA5wUAIBkAAOYFACC4AwAAzQUAIMEDAADNBQAgwgMAAM0FACDDAwAAzQUAIMkDAADNBQAgygMAAM0FACDLAwAAzQUAIA6MAwAAgQUAMI0DAACOAwAQjgMAAIEFADCuAwIA2gQAIbYDAgDaBAAhuAMEAPAEACHBAwIAggUAIcIDAgCCBQAhwwMCAIIFACHHAwIA2gQAIcgDAgDaBAAhyQMCAIIFACHKAwEAgwUAIcsDAAGEBQAhAwAAAPsCACADAACNAwAwFAAAjgMAIAMAAAD7AgAgAwAA_AIAMAQAAPgCACAICAAB-AQAIYwDAACABQAwjQMAAJQDABCOAwAAgAUAMK4DAgDiBAAhtgMCAAAAAcUDAgDiBAAhxgMAAfgEACEBAAAAkQMAIAEAAACRAwAgCAgAAfgEACGMAwAAgAUAMI0DAACUAwAQjgMAAIAFADCuAwIA4gQAIbYDAgDiBAAhxQMCAOIEACHGAwAB-AQAIQADAAAAlAMAIAMAAJUDADAEAACRAwAgAwAAAJQDACADAACVAwAwBAAAkQMAIAMAAACUAwAgAwAAlQMAMAQAAJEDACAFCAABAAABrgMCAAAAAbYDAgAAAAHFAwIAAAABxgMAAQAAAQEIAACZAwAgBQgAAQAAAa4DAgAAAAG2AwIAAAABxQMCAAAAAcYDAAEAAAEBCAAAmwMAMAEIAACbAwAwBQgAAdMFACGuAwIAvAUAIbYDAgC8BQAhxQMCALwFACHGAwAB0wUAIQIAAACRAwAgCAAAngMAIAUIAAHTBQAhrgMCALwFACG2AwIAvAUAIcUDAgC8BQAhxgMAAdMFACECAAAAlAMAIAgAAKADACACAAAAlAMAIAgAAKADACADAAAAkQMAIA8AAJkDACAQAACeAwAgAQAAAJEDACABAAAAlAMAIAUVAADfBQAgFgAA4AUAIBcAAOMFACAYAADiBQAgGQAA4QUAIAgIAAHvBAAhjAMAAP8EADCNAwAApwMAEI4DAAD_BAAwrgMCANoEACG2AwIA2gQAIcUDAgDaBAAhxgMAAe8EACEDAAAAlAMAIAMAAKYDADAUAACnAwAgAwAAAJQDACADAACVAwAwBAAAkQMAIAmMAwAA_gQAMI0DAACtAwAQjgMAAP4EADC2AwIAAAABwAMAAQAAAcEDAgDiBAAhwgMCAOIEACHDAwIA4gQAIcQDAgDiBAAhAQAAAKoDACABAAAAqgMAIAmMAwAA_gQAMI0DAACtAwAQjgMAAP4EADC2AwIA4gQAIcADAAH4BAAhwQMCAOIEACHCAwIA4gQAIcMDAgDiBAAhxAMCAOIEACEAAwAAAK0DACADAACuAwAwBAAAqgMAIAMAAACtAwAgAwAArgMAMAQAAKoDACADAAAArQMAIAMAAK4DADAEAACqAwAgBrYDAgAAAAHAAwABAAABwQMCAAAAAcIDAgAAAAHDAwIAAAABxAMCAAAAAQEIAACyAwAgBrYDAgAAAAHAAwABAAABwQMCAAAAAcIDAgAAAAHDAwIAAAABxAMCAAAAAQEIAAC0AwAwAQgAALQDADAGtgMCALwFACHAAwAB0wUAIcEDAgC8BQAhwgMCALwFACHDAwIAvAUAIcQDAgC8BQAhAgAAAKoDACAIAAC3AwAgBrYDAgC8BQAhwAMAAdMFACHBAwIAvAUAIcIDAgC8BQAhwwMCALwFACHEAwIAvAUAIQIAAACtAwAgCAAAuQMAIAIAAACtAwAgCAAAuQMAIAMAAACqAwAgDwAAsgMAIBAAALcDACABAAAAqgMAIAEAAACtAwAgBRUAANoFACAWAADbBQAgFwAA3gUAIBgAAN0FACAZAADcBQAgCYwDAAD9BAAwjQMAAMADABCOAwAA_QQAMLYDAgDaBAAhwAMAAe8EACHBAwIA2gQAIcIDAgDaBAAhwwMCANoEACHEAwIA2gQAIQMAAACtAwAgAwAAvwMAMBQAAMADACADAAAArQMAIAMAAK4DADAEAACqAwAgBowDAAD7BAAwjQMAAMYDABCOAwAA-wQAMK4DAgDiBAAhvgMCAOIEACG_AwAA_AQAIAEAAADDAwAgAQAAAMMDACAFjAMAAPsEADCNAwAAxgMAEI4DAAD7BAAwrgMCAOIEACG-AwIA4gQAIQADAAAAxgMAIAMAAMcDADAEAADDAwAgAwAAAMYDACADAADHAwAwBAAAwwMAIAMAAADGAwAgAwAAxwMAMAQAAMMDACACrgMCAAAAAb4DAgAAAAEBCAAAywMAIAKuAwIAAAABvgMCAAAAAQEIAADNAwAwAQgAAM0DADACrgMCALwFACG-AwIAvAUAIQIAAADDAwAgCAAA0AMAIAKuAwIAvAUAIb4DAgC8BQAhAgAAAMYDACAIAADSAwAgAgAAAMYDACAIAADSAwAgAwAAAMMDACAPAADLAwAgEAAA0AMAIAEAAADDAwAgAQAAAMYDACAFFQAA1QUAIBYAANYFACAXAADZBQAgGAAA2AUAIBkAANcFACAFjAMAAPoEADCNAwAA2QMAEI4DAAD6BAAwrgMCANoEACG-AwIA2gQAIQMAAADGAwAgAwAA2AMAMBQAANkDACADAAAAxgMAIAMAAMcDADAEAADDAwAgG4wDAAD3BAAwjQMAAN8DABCOAwAA9wQAMJIDAgDiBAAhkwMCAOIEACGUAwIA4gQAIZUDAgDiBAAhlgMCAOIEACGYAwQA-QQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtgMCAAAAAbcDAAEAAAG4AwQA-QQAIbkDAgDiBAAhugMCAOIEACG7AwIA4gQAIbwDAgDiBAAhvQMCAOIEACEBAAAA3AMAIAEAAADcAwAgG4wDAAD3BAAwjQMAAN8DABCOAwAA9wQAMJIDAgDiBAAhkwMCAOIEACGUAwIA4gQAIZUDAgDiBAAhlgMCAOIEACGYAwQA-QQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtgMCAOIEACG3AwAB-AQAIbgDBAD5BAAhuQMCAOIEACG6AwIA4gQAIbsDAgDiBAAhvAMCAOIEACG9AwIA4gQAIQKYAwAAzQUAILgDAADNBQAgAwAAAN8DACADAADgAwAwBAAA3AMAIAMAAADfAwAgAwAA4AMAMAQAANwDACADAAAA3wMAIAMAAOADADAEAADcAwAgGJIDAgAAAAGTAwIAAAABlAMCAAAAAZUDAgAAAAGWAwIAAAABmAMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAG2AwIAAAABtwMAAQAAAbgDBAAAAAG5AwIAAAABugMCAAAAAbsDAgAAAAG8AwIAAAABvQMCAAAAAQEIAADkAwAgGJIDAgAAAAGTAwIAAAABlAMCAAAAAZUDAgAAAAGWAwIAAAABmAMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAG2AwIAAAABtwMAAQAAAbgDBAAAAAG5AwIAAAABugMCAAAAAbsDAgAAAAG8AwIAAAABvQMCAAAAAQEIAADmAwAwAQgAAOYDADAYkgMCALwFACGTAwIAvAUAIZQDAgC8BQAhlQMCALwFACGWAwIAvAUAIZgDBADUBQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGuAwIAvAUAIa8DAgC8BQAhsAMCALwFACGxAwIAvAUAIbIDAgC8BQAhswMCALwFACG2AwIAvAUAIbcDAAHTBQAhuAMEANQFACG5AwIAvAUAIboDAgC8BQAhuwMCALwFACG8AwIAvAUAIb0DAgC8BQAhAgAAANwDACAIAADpAwAgGJIDAgC8BQAhkwMCALwFACGUAwIAvAUAIZUDAgC8BQAhlgMCALwFACGYAwQA1AUAIZoDBAC9BQAhmwMEAL0FACGcAwQAvQUAIZ0DBAC9BQAhrgMCALwFACGvAwIAvAUAIbADAgC8BQAhsQMCALwFACGyAwIAvAUAIbMDAgC8BQAhtgMCALwFACG3AwAB0wUAIbgDBADUBQAhuQMCALwFACG6AwIAvAUAIbsDAgC8BQAhvAMCALwFACG9AwIAvAUAIQIAAADfAwAgCAAA6wMAIAIAAADfAwAgCAAA6wMAIAMAAADcAwAgDwAA5AMAIBAAAOkDACABAAAA3AMAIAEAAADfAwAgBxUAAM4FACAWAADPBQAgFwAA0gUAIBgAANEFACAZAADQBQAgmAMAAM0FACC4AwAAzQUAIBuMAwAA7gQAMI0DAADyAwAQjgMAAO4EADCSAwIA2gQAIZMDAgDaBAAhlAMCANoEACGVAwIA2gQAIZYDAgDaBAAhmAMEAPAEACGaAwQA2wQAIZsDBADbBAAhnAMEANsEACGdAwQA2wQAIa4DAgDaBAAhrwMCANoEACGwAwIA2gQAIbEDAgDaBAAhsgMCANoEACGzAwIA2gQAIbYDAgDaBAAhtwMAAe8EACG4AwQA8AQAIbkDAgDaBAAhugMCANoEACG7AwIA2gQAIbwDAgDaBAAhvQMCANoEACEDAAAA3wMAIAMAAPEDADAUAADyAwAgAwAAAN8DACADAADgAwAwBAAA3AMAIBuMAwAA7AQAMI0DAAD4AwAQjgMAAOwEADCPAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtQMAAO0EACABAAAA9QMAIAEAAAD1AwAgGowDAADsBAAwjQMAAPgDABCOAwAA7AQAMI8DAgDiBAAhkQMCAOIEACGSAwQA4wQAIZMDBADjBAAhlAMEAOMEACGVAwQA4wQAIZYDBADjBAAhlwMEAOMEACGYAwQA4wQAIZkDBADjBAAhmgMEAOMEACGbAwQA4wQAIZwDBADjBAAhnQMEAOMEACGeAwIA4gQAIZ8DAgDiBAAhoAMEAOMEACGuAwIA4gQAIa8DAgDiBAAhsAMCAOIEACGxAwIA4gQAIbIDAgDiBAAhswMCAOIEACEAAwAAAPgDACADAAD5AwAwBAAA9QMAIAMAAAD4AwAgAwAA-QMAMAQAAPUDACADAAAA-AMAIAMAAPkDADAEAAD1AwAgF48DAgAAAAGRAwIAAAABkgMEAAAAAZMDBAAAAAGUAwQAAAABlQMEAAAAAZYDBAAAAAGXAwQAAAABmAMEAAAAAZkDBAAAAAGaAwQAAAABmwMEAAAAAZwDBAAAAAGdAwQAAAABngMCAAAAAZ8DAgAAAAGgAwQAAAABrgMCAAAAAa8DAgAAAAGwAwIAAAABsQMCAAAAAbIDAgAAAAGzAwIAAAABAQgAAP0DACAXjwMCAAAAAZEDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAEBCAAA_wMAMAEIAAD_AwAwF48DAgC8BQAhkQMCALwFACGSAwQAvQUAIZMDBAC9BQAhlAMEAL0FACGVAwQAvQUAIZYDBAC9BQAhlwMEAL0FACGYAwQAvQUAIZkDBAC9BQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGeAwIAvAUAIZ8DAgC8BQAhoAMEAL0FACGuAwIAvAUAIa8DAgC8BQAhsAMCALwFACGxAwIAvAUAIbIDAgC8BQAhswMCALwFACECAAAA9QMAIAgAAIIEACAXjwMCALwFACGRAwIAvAUAIZIDBAC9BQAhkwMEAL0FACGUAwQAvQUAIZUDBAC9BQAhlgMEAL0FACGXAwQAvQUAIZgDBAC9BQAhmQMEAL0FACGaAwQAvQUAIZsDBAC9BQAhnAMEAL0FACGdAwQAvQUAIZ4DAgC8BQAhnwMCALwFACGgAwQAvQUAIa4DAgC8BQAhrwMCALwFACGwAwIAvAUAIbEDAgC8BQAhsgMCALwFACGzAwIAvAUAIQIAAAD4AwAgCAAAhAQAIAIAAAD4AwAgCAAAhAQAIAMAAAD1AwAgDwAA_QMAIBAAAIIEACABAAAA9QMAIAEAAAD4AwAgBRUAAMgFACAWAADJBQAgFwAAzAUAIBgAAMsFACAZAADKBQAgGowDAADrBAAwjQMAAIsEABCOAwAA6wQAMI8DAgDaBAAhkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACGuAwIA2gQAIa8DAgDaBAAhsAMCANoEACGxAwIA2gQAIbIDAgDaBAAhswMCANoEACEDAAAA-AMAIAMAAIoEADAUAACLBAAgAwAAAPgDACADAAD5AwAwBAAA9QMAIBuMAwAA6QQAMI0DAACRBAAQjgMAAOkEADCRAwIA4gQAIZIDBADjBAAhkwMEAOMEACGUAwQA4wQAIZUDBADjBAAhlgMEAOMEACGXAwQA4wQAIZgDBADjBAAhmQMEAOMEACGaAwQA4wQAIZsDBADjBAAhnAMEAOMEACGdAwQA4wQAIZ4DAgDiBAAhnwMCAOIEACGgAwQA4wQAIasDAgDiBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtAMAAOoEACABAAAAjgQAIAEAAACOBAAgGowDAADpBAAwjQMAAJEEABCOAwAA6QQAMJEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhqwMCAOIEACGuAwIA4gQAIa8DAgDiBAAhsAMCAOIEACGxAwIA4gQAIbIDAgDiBAAhswMCAOIEACEAAwAAAJEEACADAACSBAAwBAAAjgQAIAMAAACRBAAgAwAAkgQAMAQAAI4EACADAAAAkQQAIAMAAJIEADAEAACOBAAgF5EDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAGrAwIAAAABrgMCAAAAAa8DAgAAAAGwAwIAAAABsQMCAAAAAbIDAgAAAAGzAwIAAAABAQgAAJYEACAXkQMCAAAAAZIDBAAAAAGTAwQAAAABlAMEAAAAAZUDBAAAAAGWAwQAAAABlwMEAAAAAZgDBAAAAAGZAwQAAAABmgMEAAAAAZsDBAAAAAGcAwQAAAABnQMEAAAAAZ4DAgAAAAGfAwIAAAABoAMEAAAAAasDAgAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAEBCAAAmAQAMAEIAACYBAAwF5EDAgC8BQAhkgMEAL0FACGTAwQAvQUAIZQDBAC9BQAhlQMEAL0FACGWAwQAvQUAIZcDBAC9BQAhmAMEAL0FACGZAwQAvQUAIZoDBAC9BQAhmwMEAL0FACGcAwQAvQUAIZ0DBAC9BQAhngMCALwFACGfAwIAvAUAIaADBAC9BQAhqwMCALwFACGuAwIAvAUAIa8DAgC8BQAhsAMCALwFACGxAwIAvAUAIbIDAgC8BQAhswMCALwFACECAAAAjgQAIAgAAJsEACAXkQMCALwFACGSAwQAvQUAIZMDBAC9BQAhlAMEAL0FACGVAwQAvQUAIZYDBAC9BQAhlwMEAL0FACGYAwQAvQUAIZkDBAC9BQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGeAwIAvAUAIZ8DAgC8BQAhoAMEAL0FACGrAwIAvAUAIa4DAgC8BQAhrwMCALwFACGwAwIAvAUAIbEDAgC8BQAhsgMCALwFACGzAwIAvAUAIQIAAACRBAAgCAAAnQQAIAIAAACRBAAgCAAAnQQAIAMAAACOBAAgDwAAlgQAIBAAAJsEACABAAAAjgQAIAEAAACRBAAgBRUAAMMFACAWAADEBQAgFwAAxwUAIBgAAMYFACAZAADFBQAgGowDAADoBAAwjQMAAKQEABCOAwAA6AQAMJEDAgDaBAAhkgMEANsEACGTAwQA2wQAIZQDBADbBAAhlQMEANsEACGWAwQA2wQAIZcDBADbBAAhmAMEANsEACGZAwQA2wQAIZoDBADbBAAhmwMEANsEACGcAwQA2wQAIZ0DBADbBAAhngMCANoEACGfAwIA2gQAIaADBADbBAAhqwMCANoEACGuAwIA2gQAIa8DAgDaBAAhsAMCANoEACGxAwIA2gQAIbIDAgDaBAAhswMCANoEACEDAAAAkQQAIAMAAKMEADAUAACkBAAgAwAAAJEEACADAACSBAAwBAAAjgQAIBiMAwAA5gQAMI0DAACqBAAQjgMAAOYEADCQAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhqgMCAOIEACGrAwIA4gQAIawDAgDiBAAhrQMAAOcEACABAAAApwQAIAEAAACnBAAgF4wDAADmBAAwjQMAAKoEABCOAwAA5gQAMJADAgDiBAAhkQMCAOIEACGSAwQA4wQAIZMDBADjBAAhlAMEAOMEACGVAwQA4wQAIZYDBADjBAAhlwMEAOMEACGYAwQA4wQAIZkDBADjBAAhmgMEAOMEACGbAwQA4wQAIZwDBADjBAAhnQMEAOMEACGeAwIA4gQAIZ8DAgDiBAAhoAMEAOMEACGqAwIA4gQAIasDAgDiBAAhrAMCAOIEACEAAwAAAKoEACADAACrBAAwBAAApwQAIAMAAACqBAAgAwAAqwQAMAQAAKcEACADAAAAqgQAIAMAAKsEADAEAACnBAAgFJADAgAAAAGRAwIAAAABkgMEAAAAAZMDBAAAAAGUAwQAAAABlQMEAAAAAZYDBAAAAAGXAwQAAAABmAMEAAAAAZkDBAAAAAGaAwQAAAABmwMEAAAAAZwDBAAAAAGdAwQAAAABngMCAAAAAZ8DAgAAAAGgAwQAAAABqgMCAAAAAasDAgAAAAGsAwIAAAABAQgAAK8EACAUkAMCAAAAAZEDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAGqAwIAAAABqwMCAAAAAawDAgAAAAEBCAAAsQQAMAEIAACxBAAwFJADAgC8BQAhkQMCALwFACGSAwQAvQUAIZMDBAC9BQAhlAMEAL0FACGVAwQAvQUAIZYDBAC9BQAhlwMEAL0FACGYAwQAvQUAIZkDBAC9BQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGeAwIAvAUAIZ8DAgC8BQAhoAMEAL0FACGqAwIAvAUAIasDAgC8BQAhrAMCALwFACECAAAApwQAIAgAALQEACAUkAMCALwFACGRAwIAvAUAIZIDBAC9BQAhkwMEAL0FACGUAwQAvQUAIZUDBAC9BQAhlgMEAL0FACGXAwQAvQUAIZgDBAC9BQAhmQMEAL0FACGaAwQAvQUAIZsDBAC9BQAhnAMEAL0FACGdAwQAvQUAIZ4DAgC8BQAhnwMCALwFACGgAwQAvQUAIaoDAgC8BQAhqwMCALwFACGsAwIAvAUAIQIAAACqBAAgCAAAtgQAIAIAAACqBAAgCAAAtgQAIAMAAACnBAAgDwAArwQAIBAAALQEACABAAAApwQAIAEAAACqBAAgBRUAAL4FACAWAAC_BQAgFwAAwgUAIBgAAMEFACAZAADABQAgF4wDAADlBAAwjQMAAL0EABCOAwAA5QQAMJADAgDaBAAhkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACGqAwIA2gQAIasDAgDaBAAhrAMCANoEACEDAAAAqgQAIAMAALwEADAUAAC9BAAgAwAAAKoEACADAACrBAAwBAAApwQAIBaMAwAA4QQAMI0DAADDBAAQjgMAAOEEADCPAwIA4gQAIZADAgDiBAAhkQMCAOIEACGSAwQA4wQAIZMDBADjBAAhlAMEAOMEACGVAwQA4wQAIZYDBADjBAAhlwMEAOMEACGYAwQA4wQAIZkDBADjBAAhmgMEAOMEACGbAwQA4wQAIZwDBADjBAAhnQMEAOMEACGeAwIA4gQAIZ8DAgDiBAAhoAMEAOMEACGpAwAA5AQAIAEAAADABAAgAQAAAMAEACAVjAMAAOEEADCNAwAAwwQAEI4DAADhBAAwjwMCAOIEACGQAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhAAMAAADDBAAgAwAAxAQAMAQAAMAEACADAAAAwwQAIAMAAMQEADAEAADABAAgAwAAAMMEACADAADEBAAwBAAAwAQAIBKPAwIAAAABkAMCAAAAAZEDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAEBCAAAyAQAIBKPAwIAAAABkAMCAAAAAZEDAgAAAAGSAwQAAAABkwMEAAAAAZQDBAAAAAGVAwQAAAABlgMEAAAAAZcDBAAAAAGYAwQAAAABmQMEAAAAAZoDBAAAAAGbAwQAAAABnAMEAAAAAZ0DBAAAAAGeAwIAAAABnwMCAAAAAaADBAAAAAEBCAAAygQAMAEIAADKBAAwEo8DAgC8BQAhkAMCALwFACGRAwIAvAUAIZIDBAC9BQAhkwMEAL0FACGUAwQAvQUAIZUDBAC9BQAhlgMEAL0FACGXAwQAvQUAIZgDBAC9BQAhmQMEAL0FACGaAwQAvQUAIZsDBAC9BQAhnAMEAL0FACGdAwQAvQUAIZ4DAgC8BQAhnwMCALwFACGgAwQAvQUAIQIAAADABAAgCAAAzQQAIBKPAwIAvAUAIZADAgC8BQAhkQMCALwFACGSAwQAvQUAIZMDBAC9BQAhlAMEAL0FACGVAwQAvQUAIZYDBAC9BQAhlwMEAL0FACGYAwQAvQUAIZkDBAC9BQAhmgMEAL0FACGbAwQAvQUAIZwDBAC9BQAhnQMEAL0FACGeAwIAvAUAIZ8DAgC8BQAhoAMEAL0FACECAAAAwwQAIAgAAM8EACACAAAAwwQAIAgAAM8EACADAAAAwAQAIA8AAMgEACAQAADNBAAgAQAAAMAEACABAAAAwwQAIAUVAAC3BQAgFgAAuAUAIBcAALsFACAYAAC6BQAgGQAAuQUAIBWMAwAA2QQAMI0DAADWBAAQjgMAANkEADCPAwIA2gQAIZADAgDaBAAhkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACEDAAAAwwQAIAMAANUEADAUAADWBAAgAwAAAMMEACADAADEBAAwBAAAwAQAIBWMAwAA2QQAMI0DAADWBAAQjgMAANkEADCPAwIA2gQAIZADAgDaBAAhkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACENFQAA3QQAIBYAAN4EACAXAADdBAAgGAAA3QQAIBkAAN0EACChAwIAAAABogMCAAAABKMDAgAAAASkAwIAAAABpQMCAAAAAaYDAgAAAAGnAwIAAAABqAMCAOAEACENFQAA3QQAIBYAAN4EACAXAADfBAAgGAAA3wQAIBkAAN8EACChAwQAAAABogMEAAAABKMDBAAAAASkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEANwEACENFQAA3QQAIBYAAN4EACAXAADfBAAgGAAA3wQAIBkAAN8EACChAwQAAAABogMEAAAABKMDBAAAAASkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEANwEACEIoQMCAAAAAaIDAgAAAASjAwIAAAAEpAMCAAAAAaUDAgAAAAGmAwIAAAABpwMCAAAAAagDAgDdBAAhCKEDCAAAAAGiAwgAAAAEowMIAAAABKQDCAAAAAGlAwgAAAABpgMIAAAAAacDCAAAAAGoAwgA3gQAIQihAwQAAAABogMEAAAABKMDBAAAAASkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEAN8EACENFQAA3QQAIBYAAN4EACAXAADdBAAgGAAA3QQAIBkAAN0EACChAwIAAAABogMCAAAABKMDAgAAAASkAwIAAAABpQMCAAAAAaYDAgAAAAGnAwIAAAABqAMCAOAEACEVjAMAAOEEADCNAwAAwwQAEI4DAADhBAAwjwMCAOIEACGQAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhCKEDAgAAAAGiAwIAAAAEowMCAAAABKQDAgAAAAGlAwIAAAABpgMCAAAAAacDAgAAAAGoAwIA3QQAIQihAwQAAAABogMEAAAABKMDBAAAAASkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEAN8EACECjwMCAAAAAZADAgAAAAEXjAMAAOUEADCNAwAAvQQAEI4DAADlBAAwkAMCANoEACGRAwIA2gQAIZIDBADbBAAhkwMEANsEACGUAwQA2wQAIZUDBADbBAAhlgMEANsEACGXAwQA2wQAIZgDBADbBAAhmQMEANsEACGaAwQA2wQAIZsDBADbBAAhnAMEANsEACGdAwQA2wQAIZ4DAgDaBAAhnwMCANoEACGgAwQA2wQAIaoDAgDaBAAhqwMCANoEACGsAwIA2gQAIReMAwAA5gQAMI0DAACqBAAQjgMAAOYEADCQAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhqgMCAOIEACGrAwIA4gQAIawDAgDiBAAhBJADAgAAAAGqAwIAAAABqwMCAAAAAawDAgAAAAEajAMAAOgEADCNAwAApAQAEI4DAADoBAAwkQMCANoEACGSAwQA2wQAIZMDBADbBAAhlAMEANsEACGVAwQA2wQAIZYDBADbBAAhlwMEANsEACGYAwQA2wQAIZkDBADbBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGeAwIA2gQAIZ8DAgDaBAAhoAMEANsEACGrAwIA2gQAIa4DAgDaBAAhrwMCANoEACGwAwIA2gQAIbEDAgDaBAAhsgMCANoEACGzAwIA2gQAIRqMAwAA6QQAMI0DAACRBAAQjgMAAOkEADCRAwIA4gQAIZIDBADjBAAhkwMEAOMEACGUAwQA4wQAIZUDBADjBAAhlgMEAOMEACGXAwQA4wQAIZgDBADjBAAhmQMEAOMEACGaAwQA4wQAIZsDBADjBAAhnAMEAOMEACGdAwQA4wQAIZ4DAgDiBAAhnwMCAOIEACGgAwQA4wQAIasDAgDiBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhB6sDAgAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAEajAMAAOsEADCNAwAAiwQAEI4DAADrBAAwjwMCANoEACGRAwIA2gQAIZIDBADbBAAhkwMEANsEACGUAwQA2wQAIZUDBADbBAAhlgMEANsEACGXAwQA2wQAIZgDBADbBAAhmQMEANsEACGaAwQA2wQAIZsDBADbBAAhnAMEANsEACGdAwQA2wQAIZ4DAgDaBAAhnwMCANoEACGgAwQA2wQAIa4DAgDaBAAhrwMCANoEACGwAwIA2gQAIbEDAgDaBAAhsgMCANoEACGzAwIA2gQAIRqMAwAA7AQAMI0DAAD4AwAQjgMAAOwEADCPAwIA4gQAIZEDAgDiBAAhkgMEAOMEACGTAwQA4wQAIZQDBADjBAAhlQMEAOMEACGWAwQA4wQAIZcDBADjBAAhmAMEAOMEACGZAwQA4wQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhngMCAOIEACGfAwIA4gQAIaADBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhB48DAgAAAAGuAwIAAAABrwMCAAAAAbADAgAAAAGxAwIAAAABsgMCAAAAAbMDAgAAAAEbjAMAAO4EADCNAwAA8gMAEI4DAADuBAAwkgMCANoEACGTAwIA2gQAIZQDAgDaBAAhlQMCANoEACGWAwIA2gQAIZgDBADwBAAhmgMEANsEACGbAwQA2wQAIZwDBADbBAAhnQMEANsEACGuAwIA2gQAIa8DAgDaBAAhsAMCANoEACGxAwIA2gQAIbIDAgDaBAAhswMCANoEACG2AwIA2gQAIbcDAAHvBAAhuAMEAPAEACG5AwIA2gQAIboDAgDaBAAhuwMCANoEACG8AwIA2gQAIb0DAgDaBAAhBxUAAN0EACAYAAD2BAAgGQAA9gQAIKEDAAEAAAGiAwABAAAEowMAAQAABKgDAAH1BAAhDRUAAPIEACAWAADzBAAgFwAA9AQAIBgAAPQEACAZAAD0BAAgoQMEAAAAAaIDBAAAAAWjAwQAAAAFpAMEAAAAAaUDBAAAAAGmAwQAAAABpwMEAAAAAagDBADxBAAhDRUAAPIEACAWAADzBAAgFwAA9AQAIBgAAPQEACAZAAD0BAAgoQMEAAAAAaIDBAAAAAWjAwQAAAAFpAMEAAAAAaUDBAAAAAGmAwQAAAABpwMEAAAAAagDBADxBAAhCKEDAgAAAAGiAwIAAAAFowMCAAAABaQDAgAAAAGlAwIAAAABpgMCAAAAAacDAgAAAAGoAwIA8gQAIQihAwgAAAABogMIAAAABaMDCAAAAAWkAwgAAAABpQMIAAAAAaYDCAAAAAGnAwgAAAABqAMIAPMEACEIoQMEAAAAAaIDBAAAAAWjAwQAAAAFpAMEAAAAAaUDBAAAAAGmAwQAAAABpwMEAAAAAagDBAD0BAAhBxUAAN0EACAYAAD2BAAgGQAA9gQAIKEDAAEAAAGiAwABAAAEowMAAQAABKgDAAH1BAAhBKEDAAEAAAGiAwABAAAEowMAAQAABKgDAAH2BAAhG4wDAAD3BAAwjQMAAN8DABCOAwAA9wQAMJIDAgDiBAAhkwMCAOIEACGUAwIA4gQAIZUDAgDiBAAhlgMCAOIEACGYAwQA-QQAIZoDBADjBAAhmwMEAOMEACGcAwQA4wQAIZ0DBADjBAAhrgMCAOIEACGvAwIA4gQAIbADAgDiBAAhsQMCAOIEACGyAwIA4gQAIbMDAgDiBAAhtgMCAOIEACG3AwAB-AQAIbgDBAD5BAAhuQMCAOIEACG6AwIA4gQAIbsDAgDiBAAhvAMCAOIEACG9AwIA4gQAIQShAwABAAABogMAAQAABKMDAAEAAASoAwAB9gQAIQihAwQAAAABogMEAAAABaMDBAAAAAWkAwQAAAABpQMEAAAAAaYDBAAAAAGnAwQAAAABqAMEAPQEACEFjAMAAPoEADCNAwAA2QMAEI4DAAD6BAAwrgMCANoEACG-AwIA2gQAIQWMAwAA-wQAMI0DAADGAwAQjgMAAPsEADCuAwIA4gQAIb4DAgDiBAAhAq4DAgAAAAG-AwIAAAABCYwDAAD9BAAwjQMAAMADABCOAwAA_QQAMLYDAgDaBAAhwAMAAe8EACHBAwIA2gQAIcIDAgDaBAAhwwMCANoEACHEAwIA2gQAIQmMAwAA_gQAMI0DAACtAwAQjgMAAP4EADC2AwIA4gQAIcADAAH4BAAhwQMCAOIEACHCAwIA4gQAIcMDAgDiBAAhxAMCAOIEACEICAAB7wQAIYwDAAD_BAAwjQMAAKcDABCOAwAA_wQAMK4DAgDaBAAhtgMCANoEACHFAwIA2gQAIcYDAAHvBAAhCAgAAfgEACGMAwAAgAUAMI0DAACUAwAQjgMAAIAFADCuAwIA4gQAIbYDAgDiBAAhxQMCAOIEACHGAwAB-AQAIQ6MAwAAgQUAMI0DAACOAwAQjgMAAIEFADCuAwIA2gQAIbYDAgDaBAAhuAMEAPAEACHBAwIAggUAIcIDAgCCBQAhwwMCAIIFACHHAwIA2gQAIcgDAgDaBAAhyQMCAIIFACHKAwEAgwUAIcsDAAGEBQAhDRUAAPIEACAWAADzBAAgFwAA8gQAIBgAAPIEACAZAADyBAAgoQMCAAAAAaIDAgAAAAWjAwIAAAAFpAMCAAAAAaUDAgAAAAGmAwIAAAABpwMCAAAAAagDAgCJBQAhDhUAAPIEACAYAACIBQAgGQAAiAUAIKEDAQAAAAGiAwEAAAAFowMBAAAABaQDAQAAAAGlAwEAAAABpgMBAAAAAacDAQAAAAGoAwEAhwUAIcwDAQAAAAHNAwEAAAABzgMBAAAAAQcVAADyBAAgGAAAhgUAIBkAAIYFACChAwABAAABogMAAQAABaMDAAEAAAWoAwABhQUAIQcVAADyBAAgGAAAhgUAIBkAAIYFACChAwABAAABogMAAQAABaMDAAEAAAWoAwABhQUAIQShAwABAAABogMAAQAABaMDAAEAAAWoAwABhgUAIQ4VAADyBAAgGAAAiAUAIBkAAIgFACChAwEAAAABogMBAAAABaMDAQAAAAWkAwEAAAABpQMBAAAAAaYDAQAAAAGnAwEAAAABqAMBAIcFACHMAwEAAAABzQMBAAAAAc4DAQAAAAELoQMBAAAAAaIDAQAAAAWjAwEAAAAFpAMBAAAAAaUDAQAAAAGmAwEAAAABpwMBAAAAAagDAQCIBQAhzAMBAAAAAc0DAQAAAAHOAwEAAAABDRUAAPIEACAWAADzBAAgFwAA8gQAIBgAAPIEACAZAADyBAAgoQMCAAAAAaIDAgAAAAWjAwIAAAAFpAMCAAAAAaUDAgAAAAGmAwIAAAABpwMCAAAAAagDAgCJBQAhDowDAACKBQAwjQMAAPsCABCOAwAAigUAMK4DAgDiBAAhtgMCAOIEACG4AwQA-QQAIcEDAgCLBQAhwgMCAIsFACHDAwIAiwUAIccDAgDiBAAhyAMCAOIEACHJAwIAiwUAIcoDAQCMBQAhywMAAY0FACEIoQMCAAAAAaIDAgAAAAWjAwIAAAAFpAMCAAAAAaUDAgAAAAGmAwIAAAABpwMCAAAAAagDAgDyBAAhC6EDAQAAAAGiAwEAAAAFowMBAAAABaQDAQAAAAGlAwEAAAABpgMBAAAAAacDAQAAAAGoAwEAiAUAIcwDAQAAAAHNAwEAAAABzgMBAAAAAQShAwABAAABogMAAQAABaMDAAEAAAWoAwABhgUAIQKuAwIAAAABxwMCAAAAAQKuAwIAAAABygMBAAAAAQWMAwAAkAUAMI0DAAD1AgAQjgMAAJAFADDRAwEAkQUAIdIDBADbBAAhDhUAAN0EACAYAACTBQAgGQAAkwUAIKEDAQAAAAGiAwEAAAAEowMBAAAABKQDAQAAAAGlAwEAAAABpgMBAAAAAacDAQAAAAGoAwEAkgUAIcwDAQAAAAHNAwEAAAABzgMBAAAAAQ4VAADdBAAgGAAAkwUAIBkAAJMFACChAwEAAAABogMBAAAABKMDAQAAAASkAwEAAAABpQMBAAAAAaYDAQAAAAGnAwEAAAABqAMBAJIFACHMAwEAAAABzQMBAAAAAc4DAQAAAAELoQMBAAAAAaIDAQAAAASjAwEAAAAEpAMBAAAAAaUDAQAAAAGmAwEAAAABpwMBAAAAAagDAQCTBQAhzAMBAAAAAc0DAQAAAAHOAwEAAAABBYwDAACUBQAwjQMAAOICABCOAwAAlAUAMNEDAQCVBQAh0gMEAOMEACELoQMBAAAAAaIDAQAAAASjAwEAAAAEpAMBAAAAAaUDAQAAAAGmAwEAAAABpwMBAAAAAagDAQCTBQAhzAMBAAAAAc0DAQAAAAHOAwEAAAABFYwDAACWBQAwjQMAANwCABCOAwAAlgUAMJEDAgDaBAAhmAMEANsEACGeAwIA2gQAIa8DAgDaBAAhsgMCANoEACGzAwIA2gQAIbYDAgDaBAAhygMBAJEFACHRAwEAkQUAIdMDAQCDBQAh1AMCANoEACHVAwEAgwUAIdYDBADwBAAh1wMEAPAEACHYAwIA2gQAIdkDAgDaBAAh2gMCANoEACHbAwIA2gQAIRWMAwAAlwUAMI0DAADJAgAQjgMAAJcFADCRAwIA4gQAIZgDBADjBAAhngMCAOIEACGvAwIA4gQAIbIDAgDiBAAhswMCAOIEACG2AwIA4gQAIcoDAQCVBQAh0QMBAJUFACHTAwEAjAUAIdQDAgDiBAAh1QMBAIwFACHWAwQA-QQAIdcDBAD5BAAh2AMCAOIEACHZAwIA4gQAIdoDAgDiBAAh2wMCAOIEACEGjAMAAJgFADCNAwAAwwIAEI4DAACYBQAwtgMCANoEACHIAwIA2gQAIdwDAQCRBQAhBowDAACZBQAwjQMAALACABCOAwAAmQUAMLYDAgDiBAAhyAMCAOIEACHcAwEAlQUAIQLIAwIAAAAB3AMBAAAAAQaMAwAAmwUAMI0DAACqAgAQjgMAAJsFADC2AwIA2gQAId4DAQCRBQAh3wMBAJEFACEGjAMAAJwFADCNAwAAlwIAEI4DAACcBQAwtgMCAOIEACHeAwEAlQUAId8DAQCVBQAhBowDAACdBQAwjQMAAJECABCOAwAAnQUAMK4DAgDaBAAh4AMCANoEACHhAwIA2gQAIQaMAwAAngUAMI0DAAD-AQAQjgMAAJ4FADCuAwIA4gQAIeADAgDiBAAh4QMCAOIEACEFCAAB7wQAIYwDAACfBQAwjQMAAPgBABCOAwAAnwUAMLYDAgDaBAAhBQgAAfgEACGMAwAAoAUAMI0DAADlAQAQjgMAAKAFADC2AwIA4gQAIQmMAwAAoQUAMI0DAADfAQAQjgMAAKEFADCvAwIA2gQAIbYDAgDaBAAh4gMCANoEACHjAwIA2gQAIeQDAgDaBAAh5QMAAe8EACEJjAMAAKIFADCNAwAAzAEAEI4DAACiBQAwrwMCAOIEACG2AwIA4gQAIeIDAgDiBAAh4wMCAOIEACHkAwIA4gQAIeUDAAH4BAAhCAgAAe8EACGMAwAAowUAMI0DAADGAQAQjgMAAKMFADCuAwIA2gQAIa8DAgDaBAAhxwMCANoEACHmAwIA2gQAIQgIAAH4BAAhjAMAAKQFADCNAwAAswEAEI4DAACkBQAwrgMCAOIEACGvAwIA4gQAIccDAgDiBAAh5gMCAOIEACEKjAMAAKUFADCNAwAArQEAEI4DAAClBQAwrgMBAIMFACG2AwEAkQUAIbgDBADbBAAh5AMEANsEACHnAwEAkQUAIegDAQCRBQAh6QMCANoEACEKjAMAAKYFADCNAwAAmgEAEI4DAACmBQAwrgMBAIwFACG2AwEAlQUAIbgDBADjBAAh5AMEAOMEACHnAwEAlQUAIegDAQCVBQAh6QMCAOIEACEYjAMAAKcFADCNAwAAlAEAEI4DAACnBQAwrgMBAIMFACG2AwIA2gQAIcgDAQCRBQAh5gMBAJEFACHnAwEAkQUAIegDAQCDBQAh6gMBAJEFACHrAwgAqAUAIewDAQCRBQAh7QMBAIMFACHuAwQA2wQAIe8DBADbBAAh8AMCANoEACHxAwIA2gQAIfIDAgDaBAAh8wMBAJEFACH0AwQA2wQAIfUDBADwBAAh9gMBAIMFACH3AwEAgwUAIfgDAQCRBQAhDRUAAN0EACAWAADeBAAgFwAA3gQAIBgAAN4EACAZAADeBAAgoQMIAAAAAaIDCAAAAASjAwgAAAAEpAMIAAAAAaUDCAAAAAGmAwgAAAABpwMIAAAAAagDCACpBQAhDRUAAN0EACAWAADeBAAgFwAA3gQAIBgAAN4EACAZAADeBAAgoQMIAAAAAaIDCAAAAASjAwgAAAAEpAMIAAAAAaUDCAAAAAGmAwgAAAABpwMIAAAAAagDCACpBQAhGIwDAACqBQAwjQMAAIEBABCOAwAAqgUAMK4DAQCMBQAhtgMCAOIEACHIAwEAlQUAIeYDAQCVBQAh5wMBAJUFACHoAwEAjAUAIeoDAQCVBQAh6wMIAKsFACHsAwEAlQUAIe0DAQCMBQAh7gMEAOMEACHvAwQA4wQAIfADAgDiBAAh8QMCAOIEACHyAwIA4gQAIfMDAQCVBQAh9AMEAOMEACH1AwQA-QQAIfYDAQCMBQAh9wMBAIwFACH4AwEAlQUAIQihAwgAAAABogMIAAAABKMDCAAAAASkAwgAAAABpQMIAAAAAaYDCAAAAAGnAwgAAAABqAMIAN4EACELjAMAAKwFADCNAwAAewAQjgMAAKwFADCuAwEAgwUAIbYDAgDaBAAh0QMBAJEFACHnAwEAkQUAIeoDAQCRBQAh9AMEANsEACH1AwQA8AQAIfkDBADbBAAhC4wDAACtBQAwjQMAAGgAEI4DAACtBQAwrgMBAIwFACG2AwIA4gQAIdEDAQCVBQAh5wMBAJUFACHqAwEAlQUAIfQDBADjBAAh9QMEAPkEACH5AwQA4wQAIQeMAwAArgUAMI0DAABiABCOAwAArgUAMNEDAQCRBQAh1wMEANsEACHcAwEAkQUAIfoDAQCRBQAhB4wDAACvBQAwjQMAAE8AEI4DAACvBQAw0QMBAJUFACHXAwQA4wQAIdwDAQCVBQAh-gMBAJUFACEC0QMBAAAAAfoDAQAAAAEIjAMAALEFADCNAwAASQAQjgMAALEFADC2AwIA2gQAId4DAQCRBQAh_AMCAIIFACH9AwEAkQUAIf4DAgDaBAAhCIwDAACyBQAwjQMAADYAEI4DAACyBQAwtgMCAOIEACHeAwEAlQUAIfwDAgCLBQAh_QMBAJUFACH-AwIA4gQAIQyMAwAAswUAMI0DAAAwABCOAwAAswUAMK4DAgDaBAAhtgMCANoEACHBAwIA2gQAIcIDAgDaBAAhwwMCANoEACHkAwIA2gQAIf8DAgDaBAAhgAQCANoEACGBBAIA2gQAIQyMAwAAtAUAMI0DAAAdABCOAwAAtAUAMK4DAgDiBAAhtgMCAOIEACHBAwIA4gQAIcIDAgDiBAAhwwMCAOIEACHkAwIA4gQAIf8DAgDiBAAhgAQCAOIEACGBBAIA4gQAIQ6MAwAAtQUAMI0DAAAXABCOAwAAtQUAMLYDAgDaBAAhwgMEANsEACHeAwEAkQUAIfwDAgDaBAAhggQBAJEFACGDBAIA2gQAIYQEAQCRBQAhhQQEANsEACGGBAQA2wQAIYcEAQCRBQAhiAQAAe8EACEOjAMAALYFADCNAwAABAAQjgMAALYFADC2AwIA4gQAIcIDBADjBAAh3gMBAJUFACH8AwIA4gQAIYIEAQCVBQAhgwQCAOIEACGEBAEAlQUAIYUEBADjBAAhhgQEAOMEACGHBAEAlQUAIYgEAAH4BAAhAAAAAAAFiQQCAAAAAYoEAgAAAAGLBAIAAAABjAQCAAAAAY0EAgAAAAEFiQQEAAAAAYoEBAAAAAGLBAQAAAABjAQEAAAAAY0EBAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAABiQQAAQAAAQWJBAQAAAABigQEAAAAAYsEBAAAAAGMBAQAAAABjQQEAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAABYkEAgAAAAGKBAIAAAABiwQCAAAAAYwEAgAAAAGNBAIAAAABAYkEAQAAAAEBiQQAAQAAAQAAAAAAAYkEAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFiQQIAAAAAYoECAAAAAGLBAgAAAABjAQIAAAAAY0ECAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAUVAAYWAAcXAAgYAAkZAAoAAAAAAAUVAAYWAAcXAAgYAAkZAAoAAAAFFQAQFgARFwASGAATGQAUAAAAAAAFFQAQFgARFwASGAATGQAUAAAABRUAGhYAGxcAHBgAHRkAHgAAAAAABRUAGhYAGxcAHBgAHRkAHgAAAAUVACQWACUXACYYACcZACgAAAAAAAUVACQWACUXACYYACcZACgAAAAFFQAuFgAvFwAwGAAxGQAyAAAAAAAFFQAuFgAvFwAwGAAxGQAyAAAABRUAOBYAORcAOhgAOxkAPAAAAAAABRUAOBYAORcAOhgAOxkAPAAAAAUVAEIWAEMXAEQYAEUZAEYAAAAAAAUVAEIWAEMXAEQYAEUZAEYAAAAFFQBMFgBNFwBOGABPGQBQAAAAAAAFFQBMFgBNFwBOGABPGQBQAAAABRUAVhYAVxcAWBgAWRkAWgAAAAAABRUAVhYAVxcAWBgAWRkAWgAAAAUVAGAWAGEXAGIYAGMZAGQAAAAAAAUVAGAWAGEXAGIYAGMZAGQAAAAFFQBqFgBrFwBsGABtGQBuAAAAAAAFFQBqFgBrFwBsGABtGQBuAAAABRUAdBYAdRcAdhgAdxkAeAAAAAAABRUAdBYAdRcAdhgAdxkAeAAAAAUVAH4WAH8XAIABGACBARkAggEAAAAAAAUVAH4WAH8XAIABGACBARkAggEAAAAFFQCIARYAiQEXAIoBGACLARkAjAEAAAAAAAUVAIgBFgCJARcAigEYAIsBGQCMAQAAAAUVAJIBFgCTARcAlAEYAJUBGQCWAQAAAAAABRUAkgEWAJMBFwCUARgAlQEZAJYBAAAABRUAnAEWAJ0BFwCeARgAnwEZAKABAAAAAAAFFQCcARYAnQEXAJ4BGACfARkAoAEAAAAFFQCmARYApwEXAKgBGACpARkAqgEAAAAAAAUVAKYBFgCnARcAqAEYAKkBGQCqAQAAAAUVALABFgCxARcAsgEYALMBGQC0AQAAAAAABRUAsAEWALEBFwCyARgAswEZALQBAAAABRUAugEWALsBFwC8ARgAvQEZAL4BAAAAAAAFFQC6ARYAuwEXALwBGAC9ARkAvgEAAAAFFQDEARYAxQEXAMYBGADHARkAyAEAAAAAAAUVAMQBFgDFARcAxgEYAMcBGQDIAQAAAAUVAM4BFgDPARcA0AEYANEBGQDSAQAAAAAABRUAzgEWAM8BFwDQARgA0QEZANIBAAAABRUA2AEWANkBFwDaARgA2wEZANwBAAAAAAAFFQDYARYA2QEXANoBGADbARkA3AEAAAAFFQDiARYA4wEXAOQBGADlARkA5gEAAAAAAAUVAOIBFgDjARcA5AEYAOUBGQDmAQAAAAUVAOwBFgDtARcA7gEYAO8BGQDwAQAAAAAABRUA7AEWAO0BFwDuARgA7wEZAPABAQIBAgMBBQYBBgcBBwgBCQoBCgwCCw0DDA8BDRECDhIEERMBEhQBExUCGhgFGxkLHBsMHRwMHh8MHyAMICEMISMMIiUCIyYNJCgMJSoCJisOJywMKC0MKS4CKjEPKzIVLDQWLTUWLjgWLzkWMDoWMTwWMj4CMz8XNEEWNUMCNkQYN0UWOEYWOUcCOkoZO0sfPE0gPU4gPlEgP1IgQFMgQVUgQlcCQ1ghRFogRVwCRl0iR14gSF8gSWACSmMjS2QpTGYqTWcqTmoqT2sqUGwqUW4qUnACU3ErVHMqVXUCVnYsV3cqWHgqWXkCWnwtW30zXH80XYABNF6DATRfhAE0YIUBNGGHATRiiQECY4oBNWSMATRljgECZo8BNmeQATRokQE0aZIBAmqVATdrlgE9bJgBPm2ZAT5unAE-b50BPnCeAT5xoAE-cqIBAnOjAT90pQE-dacBAnaoAUB3qQE-eKoBPnmrAQJ6rgFBe68BR3yxAUh9sgFIfrUBSH-2AUiAAbcBSIEBuQFIggG7AQKDAbwBSYQBvgFIhQHAAQKGAcEBSocBwgFIiAHDAUiJAcQBAooBxwFLiwHIAVGMAcoBUo0BywFSjgHOAVKPAc8BUpAB0AFSkQHSAVKSAdQBApMB1QFTlAHXAVKVAdkBApYB2gFUlwHbAVKYAdwBUpkB3QECmgHgAVWbAeEBW5wB4wFcnQHkAVyeAecBXJ8B6AFcoAHpAVyhAesBXKIB7QECowHuAV2kAfABXKUB8gECpgHzAV6nAfQBXKgB9QFcqQH2AQKqAfkBX6sB-gFlrAH8AWatAf0BZq4BgAJmrwGBAmawAYICZrEBhAJmsgGGAgKzAYcCZ7QBiQJmtQGLAgK2AYwCaLcBjQJmuAGOAma5AY8CAroBkgJpuwGTAm-8AZUCcL0BlgJwvgGZAnC_AZoCcMABmwJwwQGdAnDCAZ8CAsMBoAJxxAGiAnDFAaQCAsYBpQJyxwGmAnDIAacCcMkBqAICygGrAnPLAawCecwBrgJ6zQGvAnrOAbICes8BswJ60AG0AnrRAbYCetIBuAIC0wG5AnvUAbsCetUBvQIC1gG-AnzXAb8CetgBwAJ62QHBAgLaAcQCfdsBxQKDAdwBxwKEAd0ByAKEAd4BywKEAd8BzAKEAeABzQKEAeEBzwKEAeIB0QIC4wHSAoUB5AHUAoQB5QHWAgLmAdcChgHnAdgChAHoAdkChAHpAdoCAuoB3QKHAesB3gKNAewB4AKOAe0B4QKOAe4B5AKOAe8B5QKOAfAB5gKOAfEB6AKOAfIB6gIC8wHrAo8B9AHtAo4B9QHvAgL2AfACkAH3AfECjgH4AfICjgH5AfMCAvoB9gKRAfsB9wKXAfwB-QKYAf0B-gKYAf4B_QKYAf8B_gKYAYAC_wKYAYECgQOYAYICgwMCgwKEA5kBhAKGA5gBhQKIAwKGAokDmgGHAooDmAGIAosDmAGJAowDAooCjwObAYsCkAOhAYwCkgOiAY0CkwOiAY4ClgOiAY8ClwOiAZACmAOiAZECmgOiAZICnAMCkwKdA6MBlAKfA6IBlQKhAwKWAqIDpAGXAqMDogGYAqQDogGZAqUDApoCqAOlAZsCqQOrAZwCqwOsAZ0CrAOsAZ4CrwOsAZ8CsAOsAaACsQOsAaECswOsAaICtQMCowK2A60BpAK4A6wBpQK6AwKmArsDrgGnArwDrAGoAr0DrAGpAr4DAqoCwQOvAasCwgO1AawCxAO2Aa0CxQO2Aa4CyAO2Aa8CyQO2AbACygO2AbECzAO2AbICzgMCswLPA7cBtALRA7YBtQLTAwK2AtQDuAG3AtUDtgG4AtYDtgG5AtcDAroC2gO5AbsC2wO_AbwC3QPAAb0C3gPAAb4C4QPAAb8C4gPAAcAC4wPAAcEC5QPAAcIC5wMCwwLoA8EBxALqA8ABxQLsAwLGAu0DwgHHAu4DwAHIAu8DwAHJAvADAsoC8wPDAcsC9APJAcwC9gPKAc0C9wPKAc4C-gPKAc8C-wPKAdAC_APKAdEC_gPKAdICgAQC0wKBBMsB1AKDBMoB1QKFBALWAoYEzAHXAocEygHYAogEygHZAokEAtoCjATNAdsCjQTTAdwCjwTUAd0CkATUAd4CkwTUAd8ClATUAeAClQTUAeEClwTUAeICmQQC4wKaBNUB5AKcBNQB5QKeBALmAp8E1gHnAqAE1AHoAqEE1AHpAqIEAuoCpQTXAesCpgTdAewCqATeAe0CqQTeAe4CrATeAe8CrQTeAfACrgTeAfECsATeAfICsgQC8wKzBN8B9AK1BN4B9QK3BAL2ArgE4AH3ArkE3gH4AroE3gH5ArsEAvoCvgThAfsCvwTnAfwCwQToAf0CwgToAf4CxQToAf8CxgToAYADxwToAYEDyQToAYIDywQCgwPMBOkBhAPOBOgBhQPQBAKGA9EE6gGHA9IE6AGIA9ME6AGJA9QEAooD1wTrAYsD2ATxAQ"
    };
    config2.compilerWasm = {
      getRuntime: async () => await import("@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs"),
      getQueryCompilerWasmModule: async () => {
        const { wasm } = await import("@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs");
        return await decodeBase64AsWasm2(wasm);
      },
      importName: "./query_compiler_small_bg.js"
    };
  }
});

// src/generated/postgresql/internal/prismaNamespace.ts
var prismaNamespace_exports2 = {};
__export(prismaNamespace_exports2, {
  AnyNull: () => AnyNull4,
  BlockScalarFieldEnum: () => BlockScalarFieldEnum2,
  BlockUseScalarFieldEnum: () => BlockUseScalarFieldEnum2,
  CheckpointScalarFieldEnum: () => CheckpointScalarFieldEnum2,
  DbNull: () => DbNull4,
  Decimal: () => Decimal4,
  DeletedSessionScalarFieldEnum: () => DeletedSessionScalarFieldEnum2,
  EntryScalarFieldEnum: () => EntryScalarFieldEnum2,
  ImportSkipScalarFieldEnum: () => ImportSkipScalarFieldEnum2,
  ImportedFileScalarFieldEnum: () => ImportedFileScalarFieldEnum2,
  JsonNull: () => JsonNull4,
  LabelScalarFieldEnum: () => LabelScalarFieldEnum2,
  MemoryVersionScalarFieldEnum: () => MemoryVersionScalarFieldEnum2,
  ModelName: () => ModelName2,
  NoteVersionScalarFieldEnum: () => NoteVersionScalarFieldEnum2,
  NullTypes: () => NullTypes4,
  NullsOrder: () => NullsOrder2,
  PackScalarFieldEnum: () => PackScalarFieldEnum2,
  PrismaClientInitializationError: () => PrismaClientInitializationError4,
  PrismaClientKnownRequestError: () => PrismaClientKnownRequestError4,
  PrismaClientRustPanicError: () => PrismaClientRustPanicError4,
  PrismaClientUnknownRequestError: () => PrismaClientUnknownRequestError4,
  PrismaClientValidationError: () => PrismaClientValidationError4,
  QueryMode: () => QueryMode,
  SearchPageScalarFieldEnum: () => SearchPageScalarFieldEnum2,
  SearchPendingScalarFieldEnum: () => SearchPendingScalarFieldEnum2,
  SearchSegmentScalarFieldEnum: () => SearchSegmentScalarFieldEnum2,
  SearchTailScalarFieldEnum: () => SearchTailScalarFieldEnum2,
  SessionScalarFieldEnum: () => SessionScalarFieldEnum2,
  SortOrder: () => SortOrder2,
  SourceRunScalarFieldEnum: () => SourceRunScalarFieldEnum2,
  Sql: () => Sql4,
  StateScalarFieldEnum: () => StateScalarFieldEnum2,
  TransactionIsolationLevel: () => TransactionIsolationLevel2,
  UsageDayScalarFieldEnum: () => UsageDayScalarFieldEnum2,
  UsageMarginScalarFieldEnum: () => UsageMarginScalarFieldEnum2,
  UsageQuarterScalarFieldEnum: () => UsageQuarterScalarFieldEnum2,
  UsageScalarFieldEnum: () => UsageScalarFieldEnum2,
  UsageTotalScalarFieldEnum: () => UsageTotalScalarFieldEnum2,
  WorkspaceScalarFieldEnum: () => WorkspaceScalarFieldEnum2,
  defineExtension: () => defineExtension2,
  empty: () => empty4,
  getExtensionContext: () => getExtensionContext2,
  join: () => join4,
  prismaVersion: () => prismaVersion2,
  raw: () => raw4,
  sql: () => sql2
});
import * as runtime4 from "@prisma/client/runtime/client";
var PrismaClientKnownRequestError4, PrismaClientUnknownRequestError4, PrismaClientRustPanicError4, PrismaClientInitializationError4, PrismaClientValidationError4, sql2, empty4, join4, raw4, Sql4, Decimal4, getExtensionContext2, prismaVersion2, NullTypes4, DbNull4, JsonNull4, AnyNull4, ModelName2, TransactionIsolationLevel2, ImportedFileScalarFieldEnum2, SourceRunScalarFieldEnum2, ImportSkipScalarFieldEnum2, StateScalarFieldEnum2, NoteVersionScalarFieldEnum2, MemoryVersionScalarFieldEnum2, CheckpointScalarFieldEnum2, SearchTailScalarFieldEnum2, SearchSegmentScalarFieldEnum2, SearchPageScalarFieldEnum2, SearchPendingScalarFieldEnum2, WorkspaceScalarFieldEnum2, LabelScalarFieldEnum2, SessionScalarFieldEnum2, DeletedSessionScalarFieldEnum2, EntryScalarFieldEnum2, PackScalarFieldEnum2, BlockScalarFieldEnum2, BlockUseScalarFieldEnum2, UsageScalarFieldEnum2, UsageQuarterScalarFieldEnum2, UsageDayScalarFieldEnum2, UsageMarginScalarFieldEnum2, UsageTotalScalarFieldEnum2, SortOrder2, QueryMode, NullsOrder2, defineExtension2;
var init_prismaNamespace2 = __esm({
  "src/generated/postgresql/internal/prismaNamespace.ts"() {
    PrismaClientKnownRequestError4 = runtime4.PrismaClientKnownRequestError;
    PrismaClientUnknownRequestError4 = runtime4.PrismaClientUnknownRequestError;
    PrismaClientRustPanicError4 = runtime4.PrismaClientRustPanicError;
    PrismaClientInitializationError4 = runtime4.PrismaClientInitializationError;
    PrismaClientValidationError4 = runtime4.PrismaClientValidationError;
    sql2 = runtime4.sqltag;
    empty4 = runtime4.empty;
    join4 = runtime4.join;
    raw4 = runtime4.raw;
    Sql4 = runtime4.Sql;
    Decimal4 = runtime4.Decimal;
    getExtensionContext2 = runtime4.Extensions.getExtensionContext;
    prismaVersion2 = {
      client: "7.10.0",
      engine: "0edf323efd1d98336f3f0a68684b56f689b900d3"
    };
    NullTypes4 = {
      DbNull: runtime4.NullTypes.DbNull,
      JsonNull: runtime4.NullTypes.JsonNull,
      AnyNull: runtime4.NullTypes.AnyNull
    };
    DbNull4 = runtime4.DbNull;
    JsonNull4 = runtime4.JsonNull;
    AnyNull4 = runtime4.AnyNull;
    ModelName2 = {
      ImportedFile: "ImportedFile",
      SourceRun: "SourceRun",
      ImportSkip: "ImportSkip",
      State: "State",
      NoteVersion: "NoteVersion",
      MemoryVersion: "MemoryVersion",
      Checkpoint: "Checkpoint",
      SearchTail: "SearchTail",
      SearchSegment: "SearchSegment",
      SearchPage: "SearchPage",
      SearchPending: "SearchPending",
      Workspace: "Workspace",
      Label: "Label",
      Session: "Session",
      DeletedSession: "DeletedSession",
      Entry: "Entry",
      Pack: "Pack",
      Block: "Block",
      BlockUse: "BlockUse",
      Usage: "Usage",
      UsageQuarter: "UsageQuarter",
      UsageDay: "UsageDay",
      UsageMargin: "UsageMargin",
      UsageTotal: "UsageTotal"
    };
    TransactionIsolationLevel2 = runtime4.makeStrictEnum({
      ReadUncommitted: "ReadUncommitted",
      ReadCommitted: "ReadCommitted",
      RepeatableRead: "RepeatableRead",
      Serializable: "Serializable"
    });
    ImportedFileScalarFieldEnum2 = {
      id: "id",
      path: "path",
      agent: "agent",
      version: "version",
      identity: "identity",
      size: "size",
      modifiedAt: "modifiedAt",
      offset: "offset",
      line: "line",
      fingerprint: "fingerprint",
      parserState: "parserState"
    };
    SourceRunScalarFieldEnum2 = {
      id: "id",
      fileId: "fileId",
      sessionId: "sessionId",
      firstLine: "firstLine",
      lineCount: "lineCount",
      packId: "packId",
      offset: "offset",
      length: "length",
      bytes: "bytes"
    };
    ImportSkipScalarFieldEnum2 = {
      id: "id",
      path: "path",
      line: "line",
      reason: "reason",
      count: "count"
    };
    StateScalarFieldEnum2 = {
      scope: "scope",
      key: "key",
      value: "value",
      updatedAt: "updatedAt"
    };
    NoteVersionScalarFieldEnum2 = {
      id: "id",
      workspace: "workspace",
      key: "key",
      text: "text",
      sessionId: "sessionId",
      createdAt: "createdAt",
      validFrom: "validFrom",
      validTo: "validTo"
    };
    MemoryVersionScalarFieldEnum2 = {
      id: "id",
      entryId: "entryId",
      workspace: "workspace",
      kind: "kind",
      text: "text",
      confidence: "confidence",
      examples: "examples",
      sessionId: "sessionId",
      messageId: "messageId",
      firstSeenAt: "firstSeenAt",
      lastConfirmedAt: "lastConfirmedAt",
      applications: "applications",
      confirmations: "confirmations",
      contradictions: "contradictions",
      commit: "commit",
      source: "source",
      validFrom: "validFrom",
      validTo: "validTo",
      ended: "ended",
      replacedBy: "replacedBy",
      words: "words"
    };
    CheckpointScalarFieldEnum2 = {
      id: "id",
      workspace: "workspace",
      sessionId: "sessionId",
      at: "at",
      commit: "commit",
      files: "files",
      bytes: "bytes"
    };
    SearchTailScalarFieldEnum2 = {
      entryId: "entryId",
      sessionId: "sessionId",
      seq: "seq",
      workspaceId: "workspaceId",
      data: "data"
    };
    SearchSegmentScalarFieldEnum2 = {
      id: "id",
      workspaceId: "workspaceId",
      level: "level",
      messages: "messages",
      bytes: "bytes",
      head: "head"
    };
    SearchPageScalarFieldEnum2 = {
      id: "id",
      data: "data"
    };
    SearchPendingScalarFieldEnum2 = {
      sessionId: "sessionId",
      fromSeq: "fromSeq",
      untilSeq: "untilSeq"
    };
    WorkspaceScalarFieldEnum2 = {
      id: "id",
      path: "path",
      name: "name"
    };
    LabelScalarFieldEnum2 = {
      id: "id",
      kind: "kind",
      value: "value"
    };
    SessionScalarFieldEnum2 = {
      id: "id",
      key: "key",
      agentId: "agentId",
      externalId: "externalId",
      workspaceId: "workspaceId",
      branchId: "branchId",
      title: "title",
      titled: "titled",
      forkedFrom: "forkedFrom",
      startedAt: "startedAt",
      updatedAt: "updatedAt",
      nextSeq: "nextSeq",
      messageCount: "messageCount",
      favourite: "favourite",
      redactions: "redactions",
      requests: "requests",
      costNano: "costNano",
      unpriced: "unpriced"
    };
    DeletedSessionScalarFieldEnum2 = {
      key: "key",
      deletedAt: "deletedAt"
    };
    EntryScalarFieldEnum2 = {
      id: "id",
      sessionId: "sessionId",
      seq: "seq",
      at: "at",
      kind: "kind",
      role: "role",
      externalId: "externalId",
      packId: "packId",
      offset: "offset",
      length: "length",
      body: "body"
    };
    PackScalarFieldEnum2 = {
      id: "id",
      sessionId: "sessionId",
      rawSize: "rawSize",
      refs: "refs",
      data: "data"
    };
    BlockScalarFieldEnum2 = {
      id: "id",
      hash: "hash",
      packId: "packId",
      offset: "offset",
      length: "length",
      said: "said"
    };
    BlockUseScalarFieldEnum2 = {
      blockId: "blockId",
      sessionId: "sessionId"
    };
    UsageScalarFieldEnum2 = {
      id: "id",
      callHash: "callHash",
      sessionId: "sessionId",
      at: "at",
      workspaceId: "workspaceId",
      modelId: "modelId",
      providerId: "providerId",
      modeId: "modeId",
      agentId: "agentId",
      branchId: "branchId",
      subagentId: "subagentId",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoningTokens: "reasoningTokens",
      costNano: "costNano",
      costState: "costState",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      visibleChars: "visibleChars"
    };
    UsageQuarterScalarFieldEnum2 = {
      bucket: "bucket",
      sessionId: "sessionId",
      workspaceId: "workspaceId",
      modelId: "modelId",
      modeId: "modeId",
      agentId: "agentId",
      branchId: "branchId",
      requests: "requests",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoning: "reasoning",
      costNano: "costNano",
      recordedNano: "recordedNano",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      unpriced: "unpriced",
      partial: "partial",
      missingOutput: "missingOutput"
    };
    UsageDayScalarFieldEnum2 = {
      day: "day",
      sessionId: "sessionId",
      workspaceId: "workspaceId",
      modelId: "modelId",
      modeId: "modeId",
      agentId: "agentId",
      branchId: "branchId",
      requests: "requests",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoning: "reasoning",
      costNano: "costNano",
      recordedNano: "recordedNano",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      unpriced: "unpriced",
      partial: "partial",
      missingOutput: "missingOutput"
    };
    UsageMarginScalarFieldEnum2 = {
      dimension: "dimension",
      day: "day",
      valueId: "valueId",
      shard: "shard",
      requests: "requests",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoning: "reasoning",
      costNano: "costNano",
      recordedNano: "recordedNano",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      unpriced: "unpriced",
      partial: "partial",
      missingOutput: "missingOutput"
    };
    UsageTotalScalarFieldEnum2 = {
      bucket: "bucket",
      shard: "shard",
      requests: "requests",
      inputTokens: "inputTokens",
      cacheRead: "cacheRead",
      cacheWrite5m: "cacheWrite5m",
      cacheWrite1h: "cacheWrite1h",
      outputTokens: "outputTokens",
      reasoning: "reasoning",
      costNano: "costNano",
      recordedNano: "recordedNano",
      costCacheRead: "costCacheRead",
      costCacheWrite: "costCacheWrite",
      costOutput: "costOutput",
      savedNano: "savedNano",
      unpriced: "unpriced",
      partial: "partial",
      missingOutput: "missingOutput"
    };
    SortOrder2 = {
      asc: "asc",
      desc: "desc"
    };
    QueryMode = {
      default: "default",
      insensitive: "insensitive"
    };
    NullsOrder2 = {
      first: "first",
      last: "last"
    };
    defineExtension2 = runtime4.Extensions.defineExtension;
  }
});

// src/generated/postgresql/enums.ts
var enums_exports2 = {};
var init_enums2 = __esm({
  "src/generated/postgresql/enums.ts"() {
  }
});

// src/generated/postgresql/client.ts
var client_exports2 = {};
__export(client_exports2, {
  $Enums: () => enums_exports2,
  Prisma: () => prismaNamespace_exports2,
  PrismaClient: () => PrismaClient2
});
import * as path2 from "node:path";
import { fileURLToPath as fileURLToPath2 } from "node:url";
var PrismaClient2;
var init_client2 = __esm({
  "src/generated/postgresql/client.ts"() {
    init_class2();
    init_prismaNamespace2();
    init_enums2();
    init_enums2();
    globalThis["__dirname"] = path2.dirname(fileURLToPath2(import.meta.url));
    PrismaClient2 = getPrismaClientClass2();
  }
});

// src/migrations/apply.ts
import { randomUUID } from "node:crypto";
var applyMigrations, assertUpToDate, missing;
var init_apply = __esm({
  "src/migrations/apply.ts"() {
    init_src();
    applyMigrations = async (target, migrations3) => {
      const known2 = await target.finished();
      if (missing(target, known2, migrations3).length === 0) return;
      if (known2 === void 0 && await target.foreign()) {
        throw new StorageError("storage-unavailable", `${target.location} is a database of another program; it was left untouched. Name another place for the store.`);
      }
      await target.exclusive(async () => {
        const finished = await target.finished();
        if (finished === void 0) await target.script(target.recordTable);
        for (const migration of missing(target, finished, migrations3)) {
          await target.script(migration.sql);
          await target.record({ id: randomUUID(), checksum: migration.checksum, name: migration.name, at: /* @__PURE__ */ new Date() });
        }
      });
    };
    assertUpToDate = (location, finished, migrations3) => {
      if (missing({ location }, finished, migrations3).length === 0) return;
      throw new StorageError("storage-unavailable", `The store ${location} was replaced by an older one while it was in use. Open it again.`);
    };
    missing = (target, finished, migrations3) => {
      const known2 = new Set(migrations3.map((migration) => migration.name));
      for (const name of finished ?? []) {
        if (!known2.has(name)) {
          throw new StorageError("storage-newer", `The store ${target.location} was made by a newer version of Cairn (it holds "${name}"); it was left untouched. Update Cairn to use it.`);
        }
      }
      return migrations3.filter((migration) => finished?.has(migration.name) !== true);
    };
  }
});

// src/postgres/migration-target.ts
var LOCK, RECORD_TABLE, finishedMigrations, migratePostgres;
var init_migration_target = __esm({
  "src/postgres/migration-target.ts"() {
    init_apply();
    LOCK = 301091814;
    RECORD_TABLE = `CREATE TABLE "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT,
  rolled_back_at TIMESTAMPTZ, started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;
    finishedMigrations = async (client) => {
      const table = await client.query(`SELECT to_regclass('_prisma_migrations') AS found`);
      if (table.rows[0]?.found == null) return void 0;
      const rows = await client.query('SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL');
      return new Set(rows.rows.map((row) => row.migration_name));
    };
    migratePostgres = async (location, pool, migrations3) => {
      const client = await pool.connect();
      try {
        const target = {
          location,
          recordTable: RECORD_TABLE,
          finished: () => finishedMigrations(client),
          // A server's database may be shared; only a table of the same name is in the way.
          foreign: async () => (await client.query("SELECT 1 WHERE to_regclass('session') IS NOT NULL AND to_regclass('_prisma_migrations') IS NULL")).rows.length > 0,
          exclusive: async (work) => {
            await client.query("BEGIN");
            try {
              await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
              await work();
              await client.query("COMMIT");
            } catch (error) {
              await client.query("ROLLBACK");
              throw error;
            }
          },
          script: async (sql3) => {
            await client.query(sql3);
          },
          record: async ({ id, checksum, name, at }) => {
            await client.query('INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES ($1, $2, $3, $4, $3, 1)', [
              id,
              checksum,
              at,
              name
            ]);
          }
        };
        await applyMigrations(target, migrations3);
      } finally {
        client.release();
      }
    };
  }
});

// src/postgres/postgres-database.ts
var postgres_database_exports = {};
__export(postgres_database_exports, {
  PostgresDatabase: () => PostgresDatabase
});
import pg from "pg";
var CHANNEL, RETRIES, RECONNECT_MS, arrayTypes, types, isTransient, numbered, typeOf, bound, asBuffer, PostgresReader, PostgresTransaction, PostgresDatabase;
var init_postgres_database = __esm({
  "src/postgres/postgres-database.ts"() {
    init_src();
    init_error_code();
    init_schema();
    init_apply();
    init_migration_target();
    CHANNEL = "cairn_changes";
    RETRIES = 20;
    RECONNECT_MS = 1e3;
    arrayTypes = { int: "int[]", bigint: "bigint[]", real: "double precision[]", text: "text[]", bytes: "bytea[]" };
    types = new pg.TypeOverrides();
    types.setTypeParser(pg.types.builtins.INT8, Number);
    types.setTypeParser(pg.types.builtins.NUMERIC, Number);
    isTransient = (thrown) => ["40001", "40P01", "23505"].includes(codeOf(thrown));
    numbered = (sql3) => {
      let position = 0;
      return sql3.replace(/\?/g, () => `$${++position}`);
    };
    typeOf = (table, column) => {
      const type = table.columns[column];
      if (type === void 0) throw new TypeError(`${table.name} has no column ${column}`);
      return arrayTypes[type];
    };
    bound = (value) => typeof value === "bigint" ? value.toString() : value instanceof Uint8Array ? asBuffer(value) : value;
    asBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    PostgresReader = class {
      client;
      constructor(client) {
        this.client = client;
      }
      async all(sql3, parameters = []) {
        return (await this.client.query(numbered(sql3), parameters.map(bound))).rows;
      }
      async lookup(table, lookup, keys) {
        if (keys.length === 0) return [];
        const scope = lookup.scope === void 0 ? "" : ` AND "${lookup.scope.column}" = $2`;
        const sql3 = `SELECT ${quoted(lookup.columns)} FROM "${table.name}" WHERE "${lookup.key}" = ANY($1::${typeOf(table, lookup.key)})${scope}`;
        const parameters = [keys.map(bound), ...lookup.scope === void 0 ? [] : [bound(lookup.scope.value)]];
        return (await this.client.query(sql3, parameters)).rows;
      }
    };
    PostgresTransaction = class extends PostgresReader {
      async run(sql3, parameters = []) {
        return (await this.client.query(numbered(sql3), parameters.map(bound))).rowCount ?? 0;
      }
      async insert(table, columns, rows, onConflict = "") {
        if (rows.length === 0) return 0;
        const arrays = columns.map((column, index) => `$${index + 1}::${typeOf(table, column)}`);
        const values = columns.map((_, index) => rows.map((row) => bound(row[index] ?? null)));
        const sql3 = `INSERT INTO "${table.name}" (${quoted(columns)}) SELECT * FROM unnest(${arrays.join(", ")}) ${onConflict}`;
        return (await this.client.query(sql3, values)).rowCount ?? 0;
      }
      async reserveIds(table, count) {
        if (count === 0) return [];
        const rows = await this.all(`SELECT nextval(pg_get_serial_sequence('${table.name}', 'id')) AS id FROM generate_series(1, ?::int)`, [count]);
        return rows.map((row) => row.id);
      }
    };
    PostgresDatabase = class _PostgresDatabase {
      dialect = "postgresql";
      location;
      pool;
      #reader;
      #url;
      #migrations;
      #listeners = /* @__PURE__ */ new Set();
      #closing;
      #stopListening;
      constructor(url, pool, migrations3) {
        const address = new URL(url);
        address.password = "";
        this.location = address.toString();
        this.#url = url;
        this.#migrations = migrations3;
        this.pool = pool;
        this.#reader = new PostgresReader(pool);
      }
      static async open(url, migrations3) {
        const pool = new pg.Pool({ connectionString: url, max: 8, types, connectionTimeoutMillis: 1e4, application_name: "cairn" });
        pool.on("error", () => void 0);
        const database = new _PostgresDatabase(url, pool, migrations3);
        try {
          await migratePostgres(database.location, pool, migrations3);
          return database;
        } catch (error) {
          await pool.end();
          throw database.#asStorageError(error);
        }
      }
      all(sql3, parameters = []) {
        return this.#guard(() => this.#reader.all(sql3, parameters));
      }
      lookup(table, lookup, keys) {
        return this.#guard(() => this.#reader.lookup(table, lookup, keys));
      }
      transaction(options, work) {
        return this.#guard(async () => {
          for (let attempt = 1; ; attempt += 1) {
            const client = await this.pool.connect();
            let broken;
            try {
              await client.query("BEGIN");
              if (options.durability === "lazy") await client.query("SET LOCAL synchronous_commit = off");
              const result = await work(new PostgresTransaction(client));
              await client.query(`NOTIFY ${CHANNEL}`);
              await client.query("COMMIT");
              return result;
            } catch (error) {
              try {
                await client.query("ROLLBACK");
              } catch (rollbackError) {
                broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
              }
              if (!isTransient(error) || attempt === RETRIES) throw error;
              await new Promise((resolve2) => setTimeout(resolve2, Math.random() * Math.min(5 * 2 ** attempt, 500)));
            } finally {
              client.release(broken);
            }
          }
        });
      }
      onChange(listener) {
        this.#listeners.add(listener);
        this.#stopListening ??= this.#listen();
        return () => {
          this.#listeners.delete(listener);
          if (this.#listeners.size > 0) return;
          void this.#stopListening?.();
          this.#stopListening = void 0;
        };
      }
      check() {
        return this.#guard(async () => {
          assertUpToDate(this.location, await finishedMigrations(this.pool), this.#migrations);
          const names2 = Object.values(tables).map(({ name }) => name);
          const { rows } = await this.pool.query("SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(quote_ident(name)) IS NULL", [names2]);
          if (rows.length > 0) throw new StorageError("storage-corrupt", `The store ${this.location} is damaged (it lacks the table ${rows.map(({ name }) => name).join(", ")}); it was left as it is. Restore a copy, or import again into another store (--store).`);
        });
      }
      async totalBytes() {
        const rows = await this.all("SELECT pg_database_size(current_database()) AS bytes");
        return rows[0]?.bytes ?? 0;
      }
      /** PostgreSQL checks its pages itself (data checksums); there is nothing to ask for. */
      integrityFaults() {
        return Promise.resolve([]);
      }
      /** The server reuses the room when autovacuum has been there. */
      scrub() {
        return Promise.resolve();
      }
      async compact() {
        await this.#guard(() => this.pool.query("VACUUM"));
      }
      close() {
        return this.#closing ??= this.#close();
      }
      async #close() {
        await this.#stopListening?.();
        this.#stopListening = void 0;
        await this.pool.end();
      }
      /** A connection of its own that listens. Changes made before it does are not announced to it, so it tells whenever it has connected. */
      #listen() {
        let stopped = false;
        let client;
        let retry;
        const tell = () => {
          for (const listener of this.#listeners) listener();
        };
        const connect2 = async () => {
          if (stopped) return;
          const next = new pg.Client({ connectionString: this.#url, application_name: "cairn-listener" });
          client = next;
          const again = () => {
            if (stopped || client !== next) return;
            client = void 0;
            next.end().catch(() => void 0);
            retry = setTimeout(() => void connect2(), RECONNECT_MS);
            retry.unref();
          };
          next.on("error", again);
          next.on("notification", tell);
          try {
            await next.connect();
            await next.query(`LISTEN ${CHANNEL}`);
            tell();
          } catch {
            again();
          }
        };
        const connecting = connect2();
        return async () => {
          stopped = true;
          clearTimeout(retry);
          await connecting;
          await client?.end().catch(() => void 0);
        };
      }
      async #guard(work) {
        try {
          return await work();
        } catch (error) {
          throw this.#asStorageError(error);
        }
      }
      #asStorageError(thrown) {
        const code = codeOf(thrown);
        if (code === "" || CairnError.is(thrown)) return thrown;
        if (code.startsWith("08") || ["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "ECONNRESET", "57P03", "3D000", "28P01", "28000"].includes(code)) {
          return new StorageError("storage-unavailable", `The store ${this.location} can't be reached: ${messageOf(thrown) || code}.`, { cause: thrown });
        }
        return new StorageError("storage-failed", `The store ${this.location} could not do it: ${messageOf(thrown)}.`, { cause: thrown });
      }
    };
  }
});

// src/generated/postgresql/migrations.ts
var migrations_exports = {};
__export(migrations_exports, {
  migrations: () => migrations
});
var migrations;
var init_migrations = __esm({
  "src/generated/postgresql/migrations.ts"() {
    migrations = [
      {
        "name": "20261120115909_init",
        "checksum": "42407c550a154c579bb0ce6eb9e4d6fe11c798f43b75cca71450bb415af15038",
        "sql": `-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "imported_file" (
    "id" SERIAL NOT NULL,
    "path" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "identity" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "modified_at" BIGINT NOT NULL,
    "offset" BIGINT NOT NULL,
    "line" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "parser_state" BYTEA NOT NULL,

    CONSTRAINT "imported_file_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source_run" (
    "id" SERIAL NOT NULL,
    "file_id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "first_line" INTEGER NOT NULL,
    "line_count" INTEGER NOT NULL,
    "pack_id" INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "source_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_skip" (
    "id" SERIAL NOT NULL,
    "path" TEXT NOT NULL,
    "line" INTEGER,
    "reason" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "import_skip_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "state" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "state_pkey" PRIMARY KEY ("scope","key")
);

-- CreateTable
CREATE TABLE "note" (
    "workspace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "session_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    CONSTRAINT "note_pkey" PRIMARY KEY ("workspace","key")
);

-- CreateTable
CREATE TABLE "memory_version" (
    "id" SERIAL NOT NULL,
    "entry_id" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "examples" TEXT NOT NULL,
    "session_id" TEXT,
    "message_id" TEXT,
    "first_seen_at" BIGINT NOT NULL,
    "last_confirmed_at" BIGINT NOT NULL,
    "applications" INTEGER NOT NULL,
    "valid_from" BIGINT NOT NULL,
    "valid_to" BIGINT,

    CONSTRAINT "memory_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "id" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "session_id" TEXT,
    "at" BIGINT NOT NULL,
    "commit" TEXT NOT NULL,
    "files" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace" (
    "id" SERIAL NOT NULL,
    "path" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "label" (
    "id" SERIAL NOT NULL,
    "kind" INTEGER NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "label_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "external_id" TEXT NOT NULL,
    "workspace_id" INTEGER NOT NULL DEFAULT 0,
    "branch_id" INTEGER NOT NULL DEFAULT 0,
    "title" TEXT,
    "titled" INTEGER NOT NULL DEFAULT 0,
    "forked_from" TEXT,
    "started_at" BIGINT,
    "updated_at" BIGINT,
    "next_seq" INTEGER NOT NULL DEFAULT 0,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "favourite" INTEGER NOT NULL DEFAULT 0,
    "redactions" INTEGER NOT NULL DEFAULT 0,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "cost_nano" BIGINT NOT NULL DEFAULT 0,
    "unpriced" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deleted_session" (
    "key" TEXT NOT NULL,
    "deleted_at" BIGINT NOT NULL,

    CONSTRAINT "deleted_session_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "entry" (
    "id" SERIAL NOT NULL,
    "session_id" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" BIGINT,
    "kind" INTEGER NOT NULL,
    "role" INTEGER,
    "external_id" TEXT,
    "pack_id" INTEGER,
    "offset" INTEGER,
    "length" INTEGER,
    "body" BYTEA,

    CONSTRAINT "entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pack" (
    "id" SERIAL NOT NULL,
    "session_id" INTEGER NOT NULL,
    "raw_size" INTEGER NOT NULL,
    "refs" BYTEA NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "pack_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "block" (
    "id" SERIAL NOT NULL,
    "hash" BYTEA NOT NULL,
    "pack_id" INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "said" INTEGER NOT NULL,

    CONSTRAINT "block_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "block_use" (
    "block_id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,

    CONSTRAINT "block_use_pkey" PRIMARY KEY ("block_id","session_id")
);

-- CreateTable
CREATE TABLE "usage_fact" (
    "id" SERIAL NOT NULL,
    "call_hash" BYTEA NOT NULL,
    "session_id" INTEGER NOT NULL,
    "at" BIGINT,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "provider_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "subagent_id" INTEGER NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "cache_read" INTEGER NOT NULL,
    "cache_write_5m" INTEGER NOT NULL,
    "cache_write_1h" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "reasoning_tokens" INTEGER NOT NULL,
    "cost_nano" BIGINT,
    "cost_state" INTEGER NOT NULL,
    "cost_cache_read" BIGINT NOT NULL DEFAULT 0,
    "cost_cache_write" BIGINT NOT NULL DEFAULT 0,
    "cost_output" BIGINT NOT NULL DEFAULT 0,
    "saved_nano" BIGINT NOT NULL DEFAULT 0,
    "visible_chars" INTEGER NOT NULL,

    CONSTRAINT "usage_fact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_quarter" (
    "bucket" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    CONSTRAINT "usage_quarter_pkey" PRIMARY KEY ("bucket","session_id","workspace_id","model_id","mode_id","agent_id","branch_id")
);

-- CreateTable
CREATE TABLE "usage_day" (
    "day" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("day","session_id","workspace_id","model_id","mode_id","agent_id","branch_id")
);

-- CreateTable
CREATE TABLE "usage_margin" (
    "dimension" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "value_id" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    CONSTRAINT "usage_margin_pkey" PRIMARY KEY ("dimension","day","value_id","shard")
);

-- CreateTable
CREATE TABLE "usage_total" (
    "bucket" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    CONSTRAINT "usage_total_pkey" PRIMARY KEY ("bucket","shard")
);

-- CreateIndex
CREATE UNIQUE INDEX "imported_file_path_key" ON "imported_file"("path");

-- CreateIndex
CREATE INDEX "source_run_session_id_idx" ON "source_run"("session_id");

-- CreateIndex
CREATE INDEX "source_run_file_id_first_line_idx" ON "source_run"("file_id", "first_line");

-- CreateIndex
CREATE INDEX "import_skip_path_idx" ON "import_skip"("path");

-- CreateIndex
CREATE INDEX "memory_version_entry_id_valid_from_idx" ON "memory_version"("entry_id", "valid_from");

-- CreateIndex
CREATE INDEX "memory_version_workspace_valid_to_idx" ON "memory_version"("workspace", "valid_to");

-- CreateIndex
CREATE INDEX "checkpoint_workspace_at_idx" ON "checkpoint"("workspace", "at");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_path_key" ON "workspace"("path");

-- CreateIndex
CREATE INDEX "workspace_name_idx" ON "workspace"("name");

-- CreateIndex
CREATE UNIQUE INDEX "label_kind_value_key" ON "label"("kind", "value");

-- CreateIndex
CREATE UNIQUE INDEX "session_key_key" ON "session"("key");

-- CreateIndex
CREATE INDEX "session_external_id_idx" ON "session"("external_id");

-- CreateIndex
CREATE INDEX "session_updated_at_idx" ON "session"("updated_at");

-- CreateIndex
CREATE INDEX "session_cost_nano_idx" ON "session"("cost_nano");

-- CreateIndex
CREATE INDEX "session_workspace_id_updated_at_idx" ON "session"("workspace_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "entry_session_id_seq_key" ON "entry"("session_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "entry_session_id_external_id_key" ON "entry"("session_id", "external_id");

-- CreateIndex
CREATE INDEX "pack_session_id_idx" ON "pack"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "block_hash_key" ON "block"("hash");

-- CreateIndex
CREATE INDEX "block_pack_id_idx" ON "block"("pack_id");

-- CreateIndex
CREATE INDEX "block_use_session_id_idx" ON "block_use"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "usage_fact_call_hash_key" ON "usage_fact"("call_hash");

-- CreateIndex
CREATE INDEX "usage_fact_session_id_idx" ON "usage_fact"("session_id");

-- CreateIndex
CREATE INDEX "usage_fact_at_idx" ON "usage_fact"("at");

-- CreateIndex
CREATE INDEX "usage_day_session_id_idx" ON "usage_day"("session_id");

-- Written by hand: full-text index without a copy of the text (the models can't say it). Long texts take several rows.
CREATE TABLE "search_document" (
    "entry_id" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "words" TSVECTOR NOT NULL,

    CONSTRAINT "search_document_pkey" PRIMARY KEY ("entry_id", "part")
);
CREATE INDEX "search_document_words_idx" ON "search_document" USING GIN ("words");

-- Packs are compressed already.
ALTER TABLE "pack" ALTER COLUMN "data" SET STORAGE EXTERNAL;
`
      },
      {
        "name": "20261121151341_session_list_index",
        "checksum": "37b88f15f9da0f4c49e1901acf6951cc6865ba4c73b06ca785a1a2852d136de1",
        "sql": '-- DropIndex\nDROP INDEX "session_cost_nano_idx";\n\n-- DropIndex\nDROP INDEX "session_updated_at_idx";\n\n-- DropIndex\nDROP INDEX "session_workspace_id_updated_at_idx";\n\n-- DropIndex\nDROP INDEX "usage_day_session_id_idx";\n\n-- CreateIndex\nCREATE INDEX "session_list_idx" ON "session"("updated_at", "started_at", "workspace_id", "branch_id", "agent_id", "message_count", "cost_nano");\n\n-- CreateIndex\nCREATE INDEX "usage_day_session_id_model_id_idx" ON "usage_day"("session_id", "model_id");\n'
      },
      {
        "name": "20261121182508_memory_and_recall",
        "checksum": "48210eedc412c380d44bc5ffd7367f417bd92dd9a448e47c68aebaf738f16fa0",
        "sql": `-- AlterTable
ALTER TABLE "memory_version" ADD COLUMN     "commit" TEXT,
ADD COLUMN     "confirmations" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "contradictions" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "ended" TEXT,
ADD COLUMN     "replaced_by" TEXT,
ADD COLUMN     "source" TEXT NOT NULL DEFAULT 'user',
ADD COLUMN     "words" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "note_version" (
    "id" SERIAL NOT NULL,
    "workspace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "session_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "valid_from" BIGINT NOT NULL,
    "valid_to" BIGINT,

    CONSTRAINT "note_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_tail" (
    "entry_id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "search_tail_pkey" PRIMARY KEY ("entry_id")
);

-- CreateTable
CREATE TABLE "search_segment" (
    "id" SERIAL NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "messages" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "head" BYTEA NOT NULL,

    CONSTRAINT "search_segment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_page" (
    "id" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "search_page_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_pending" (
    "session_id" INTEGER NOT NULL,
    "from_seq" INTEGER NOT NULL,
    "until_seq" INTEGER NOT NULL,

    CONSTRAINT "search_pending_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE INDEX "memory_version_words_valid_to_idx" ON "memory_version"("words", "valid_to");

-- CreateIndex
CREATE INDEX "note_version_workspace_key_valid_to_idx" ON "note_version"("workspace", "key", "valid_to");

-- CreateIndex
CREATE INDEX "search_tail_workspace_id_idx" ON "search_tail"("workspace_id");

-- CreateIndex
CREATE INDEX "search_tail_session_id_idx" ON "search_tail"("session_id");

-- CreateIndex
CREATE INDEX "search_segment_workspace_id_idx" ON "search_segment"("workspace_id");

-- Written by hand: what notes say now is their first version.
INSERT INTO "note_version" ("workspace", "key", "text", "session_id", "created_at", "valid_from")
SELECT "workspace", "key", "text", "session_id", "created_at", "updated_at" FROM "note";

-- DropTable
DROP TABLE "note";

-- Written by hand: the search index is made anew in its own form, at the first need of it.
DROP TABLE "search_document";
INSERT INTO "search_pending" ("session_id", "from_seq", "until_seq") SELECT "id", 0, "next_seq" FROM "session";

-- Heads and pages are compact already.
ALTER TABLE "search_segment" ALTER COLUMN "head" SET STORAGE EXTERNAL;
ALTER TABLE "search_page" ALTER COLUMN "data" SET STORAGE EXTERNAL;
`
      }
    ];
  }
});

// src/sqlite/connection.ts
import { mkdirSync } from "node:fs";
import { dirname as dirname3 } from "node:path";
import Sqlite from "better-sqlite3";
var Connection, open, openWriter, configureWriter, openReader;
var init_connection = __esm({
  "src/sqlite/connection.ts"() {
    init_src();
    Connection = class {
      database;
      #statements = /* @__PURE__ */ new Map();
      constructor(database) {
        this.database = database;
      }
      statement(sql3) {
        const known2 = this.#statements.get(sql3);
        if (known2 !== void 0) return known2;
        const statement = this.database.prepare(sql3);
        this.#statements.set(sql3, statement);
        return statement;
      }
      close() {
        this.#statements.clear();
        this.database.close();
      }
    };
    open = (path3, options) => {
      try {
        return new Sqlite(path3, { timeout: 0, ...options });
      } catch (error) {
        throw new StorageError("storage-unavailable", `The store ${path3} can't be opened: ${messageOf(error)}.`, { cause: error });
      }
    };
    openWriter = (path3) => {
      try {
        mkdirSync(dirname3(path3), { recursive: true, mode: 448 });
      } catch (error) {
        throw new StorageError("storage-unavailable", `The store's folder ${dirname3(path3)} can't be made: ${messageOf(error)}.`, { cause: error });
      }
      return new Connection(open(path3, {}));
    };
    configureWriter = ({ database }) => {
      database.pragma("page_size = 8192");
      database.pragma("cache_size = -32768");
      database.pragma("wal_autocheckpoint = 4000");
      database.pragma("secure_delete = ON");
    };
    openReader = (path3, cacheKib = 65536) => {
      const database = open(path3, { readonly: true, fileMustExist: true });
      database.pragma(`cache_size = -${cacheKib}`);
      return new Connection(database);
    };
  }
});

// src/sqlite/migration-target.ts
var RECORD_TABLE2, finishedMigrations2, migrateSqlite;
var init_migration_target2 = __esm({
  "src/sqlite/migration-target.ts"() {
    init_apply();
    init_write_queue();
    RECORD_TABLE2 = `CREATE TABLE "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT,
  "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`;
    finishedMigrations2 = (database) => {
      const table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'").get();
      if (table === void 0) return void 0;
      const rows = database.prepare('SELECT migration_name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL').all();
      return new Set(rows.map((row) => row.migration_name));
    };
    migrateSqlite = (location, connection, queue, migrations3) => {
      const { database } = connection;
      const target = {
        location,
        recordTable: RECORD_TABLE2,
        finished: () => retryWhileBusy(() => finishedMigrations2(database)),
        // Tables without Prisma's record of who made them. Another process may be making the store: it does so at one stroke.
        foreign: () => retryWhileBusy(() => database.prepare("SELECT 1 FROM sqlite_master WHERE name <> '_prisma_migrations'").get() !== void 0 && database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").get() === void 0),
        exclusive: (work) => queue.transaction("FULL", work),
        script: (sql3) => {
          database.exec(sql3);
          return Promise.resolve();
        },
        record: ({ id, checksum, name, at }) => {
          database.prepare('INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count) VALUES (?, ?, ?, ?, ?, 1)').run(id, checksum, at.getTime(), name, at.getTime());
          return Promise.resolve();
        }
      };
      return applyMigrations(target, migrations3);
    };
  }
});

// src/sqlite/storage-error.ts
var damaged2, asStorageError;
var init_storage_error = __esm({
  "src/sqlite/storage-error.ts"() {
    init_src();
    init_error_code();
    damaged2 = (path3, reason, cause) => new StorageError("storage-corrupt", `The store ${path3} is damaged (${reason}); it was left as it is. Import again into another store (--store, or cairn.store in VS Code) from the transcripts that are still there, or restore a copy.`, { cause });
    asStorageError = (thrown, path3) => {
      const code = codeOf(thrown);
      if (!code.startsWith("SQLITE_")) return thrown;
      if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") return damaged2(path3, messageOf(thrown), thrown);
      if (code.startsWith("SQLITE_READONLY")) {
        return new StorageError("storage-unavailable", `The store ${path3} can't be used where it is: it, or its folder, is read-only for this user, and SQLite must be able to write beside it even for reading. Nothing was changed; copy it to a folder of your own and name the copy as your store (--store, or cairn.store in VS Code).`, { cause: thrown });
      }
      if (code.startsWith("SQLITE_FULL")) {
        return new StorageError("storage-failed", `The disk that holds ${path3} is full; what was acknowledged before is kept.`, { cause: thrown });
      }
      return new StorageError("storage-failed", `The store ${path3} could not do it: ${messageOf(thrown)}.`, { cause: thrown });
    };
  }
});

// src/sqlite/file-check.ts
import { statSync } from "node:fs";
var assertNotEmptied, FileCheck;
var init_file_check = __esm({
  "src/sqlite/file-check.ts"() {
    init_src();
    init_apply();
    init_schema();
    init_connection();
    init_migration_target2();
    init_storage_error();
    init_write_queue();
    assertNotEmptied = (path3) => {
      const size = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (statSync(path3, { throwIfNoEntry: false })?.size === 0 && size(`${path3}-wal`) > 0) {
        throw damaged2(path3, `the file is empty; what was written last may still be in ${path3}-wal`);
      }
    };
    FileCheck = class {
      #path;
      #inode;
      #migrations;
      #seen;
      constructor(path3, migrations3) {
        this.#path = path3;
        this.#migrations = migrations3;
        this.#inode = statSync(path3, { throwIfNoEntry: false, bigint: true })?.ino;
      }
      /** A file that was removed or replaced can still be written, to nobody's use. */
      assertThere() {
        if (statSync(this.#path, { throwIfNoEntry: false, bigint: true })?.ino === this.#inode) return;
        throw new StorageError("storage-failed", `The store ${this.#path} was removed or replaced while it was in use; what was written last is not in it. Do it again.`);
      }
      /**
       * Rejects with what is wrong.
       * @param reader reads the store already
       * @returns whether the file itself has changed since: what readers keep of it in memory may no longer be what it holds
       */
      async run(reader) {
        const facts = statSync(this.#path, { throwIfNoEntry: false, bigint: true });
        if (facts?.ino !== this.#inode || facts === void 0) throw new StorageError("storage-unavailable", `The store ${this.#path} was removed or replaced while it was in use. Open it again.`);
        if (facts.size === 0n) throw damaged2(this.#path, "the file is empty");
        const before = this.#seen;
        const schemaVersion = await retryWhileBusy(() => reader.database.pragma("schema_version", { simple: true }));
        const isSameFile = before?.size === facts.size && before.modifiedNs === facts.mtimeNs;
        if (isSameFile && before.schemaVersion === schemaVersion) return false;
        await this.#lookClosely();
        this.#seen = { size: facts.size, modifiedNs: facts.mtimeNs, schemaVersion };
        return before !== void 0 && !isSameFile;
      }
      /** On a connection of its own, which remembers nothing of what the file held before. */
      async #lookClosely() {
        const fresh = openReader(this.#path);
        try {
          await retryWhileBusy(() => {
            assertUpToDate(this.#path, finishedMigrations2(fresh.database), this.#migrations);
            const there = new Set(fresh.database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(({ name }) => name));
            const lacking = Object.values(tables).filter(({ name }) => !there.has(name));
            if (lacking.length > 0) throw damaged2(this.#path, `it lacks the table ${lacking.map(({ name }) => name).join(", ")}`);
            for (const { name } of Object.values(tables)) fresh.database.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get();
          });
        } finally {
          fresh.close();
        }
      }
    };
  }
});

// src/sqlite/sqlite-database.ts
var sqlite_database_exports = {};
__export(sqlite_database_exports, {
  SqliteDatabase: () => SqliteDatabase
});
import { chmodSync, existsSync, statSync as statSync2, watch } from "node:fs";
import { basename, dirname as dirname4 } from "node:path";
var POLL_MS, PLAIN_CACHE_KIB, SECOND_LOOK_MS, SqliteTransaction, SqliteDatabase;
var init_sqlite_database = __esm({
  "src/sqlite/sqlite-database.ts"() {
    init_src();
    init_schema();
    init_connection();
    init_file_check();
    init_migration_target2();
    init_storage_error();
    init_write_queue();
    POLL_MS = 1e3;
    PLAIN_CACHE_KIB = 1024;
    SECOND_LOOK_MS = 50;
    SqliteTransaction = class {
      #connection;
      constructor(connection) {
        this.#connection = connection;
      }
      all(sql3, parameters = []) {
        return Promise.resolve(this.#connection.statement(sql3).all(...parameters));
      }
      run(sql3, parameters = []) {
        return Promise.resolve(this.#connection.statement(sql3).run(...parameters).changes);
      }
      insert(table, columns, rows, onConflict = "") {
        const statement = this.#connection.statement(
          `INSERT INTO "${table.name}" (${quoted(columns)}) VALUES (${columns.map(() => "?").join(", ")}) ${onConflict}`
        );
        let written = 0;
        for (const row of rows) written += statement.run(...row).changes;
        return Promise.resolve(written);
      }
      lookup(table, lookup, keys) {
        const scope = lookup.scope === void 0 ? "" : ` AND "${lookup.scope.column}" = ?`;
        const statement = this.#connection.statement(`SELECT ${quoted(lookup.columns)} FROM "${table.name}" WHERE "${lookup.key}" = ?${scope}`);
        const rows = [];
        for (const key of keys) {
          const found = lookup.scope === void 0 ? statement.all(key) : statement.all(key, lookup.scope.value);
          for (const row of found) rows.push(row);
        }
        return Promise.resolve(rows);
      }
      reserveIds(table, count) {
        const row = this.#connection.statement("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table.name);
        const first = (row?.seq ?? 0) + 1;
        return Promise.resolve(Array.from({ length: count }, (_, index) => first + index));
      }
    };
    SqliteDatabase = class _SqliteDatabase {
      dialect = "sqlite";
      location;
      #writer;
      queue;
      #transaction;
      #listeners = /* @__PURE__ */ new Set();
      #check;
      #reader;
      /** For large rows that their readers keep. */
      #plainReader;
      #stopWatching;
      #closed = false;
      constructor(path3, writer, migrations3) {
        this.location = path3;
        this.#writer = writer;
        this.queue = new WriteQueue(writer.database);
        this.#check = new FileCheck(path3, migrations3);
        this.#transaction = new SqliteTransaction(writer);
      }
      /** Opens the file, making it if it is missing, and brings it up to date. */
      static async open(path3, migrations3) {
        const isNew = !existsSync(path3);
        assertNotEmptied(path3);
        const writer = openWriter(path3);
        try {
          await retryWhileBusy(() => configureWriter(writer));
          const database = new _SqliteDatabase(path3, writer, migrations3);
          if (isNew) chmodSync(path3, 384);
          await migrateSqlite(path3, writer, database.queue, migrations3);
          await retryWhileBusy(() => {
            if (writer.database.pragma("journal_mode", { simple: true }) !== "wal") writer.database.pragma("journal_mode = WAL");
          });
          return database;
        } catch (error) {
          writer.close();
          throw asStorageError(error, path3);
        }
      }
      async all(sql3, parameters = []) {
        return this.#guard(() => retryWhileBusy(() => this.#read().statement(sql3).all(...parameters)));
      }
      async lookup(table, lookup, keys) {
        return this.#guard(() => new SqliteTransaction(lookup.uncached === true ? this.#readPlainly() : this.#read()).lookup(table, lookup, keys));
      }
      transaction(options, work) {
        return this.#guard(async () => {
          const result = await this.queue.transaction(options.durability === "synced" ? "FULL" : "NORMAL", () => work(this.#transaction));
          this.#check.assertThere();
          return result;
        });
      }
      onChange(listener) {
        this.#listeners.add(listener);
        this.#stopWatching ??= this.#watch();
        return () => {
          this.#listeners.delete(listener);
          if (this.#listeners.size > 0) return;
          this.#stopWatching?.();
          this.#stopWatching = void 0;
        };
      }
      check() {
        return this.#guard(async () => {
          if (!await this.#check.run(this.#read())) return;
          this.#closeReaders();
          for (const listener of this.#listeners) listener();
        });
      }
      totalBytes() {
        const sizes = ["", "-wal", "-shm"].map((suffix) => statSync2(this.location + suffix, { throwIfNoEntry: false })?.size ?? 0);
        return Promise.resolve(sizes.reduce((sum, size) => sum + size, 0));
      }
      async integrityFaults() {
        const reader = openReader(this.location);
        try {
          const rows = await retryWhileBusy(() => reader.statement("PRAGMA integrity_check").all());
          return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
        } finally {
          reader.close();
        }
      }
      async scrub() {
        await this.queue.exclusive(() => retryWhileBusy(() => this.#writer.database.pragma("wal_checkpoint(TRUNCATE)")));
      }
      async compact() {
        await this.queue.exclusive(
          () => retryWhileBusy(() => {
            this.#writer.database.exec("VACUUM");
            this.#writer.database.pragma("wal_checkpoint(TRUNCATE)");
          })
        );
      }
      async close() {
        if (this.#closed) return;
        this.#closed = true;
        this.#stopWatching?.();
        await this.queue.idle();
        this.#closeReaders();
        this.#writer.close();
      }
      #read() {
        if (this.#closed) throw new StorageError("storage-unavailable", "The store has been closed.");
        this.#reader ??= openReader(this.location);
        return this.#reader;
      }
      #readPlainly() {
        if (this.#closed) throw new StorageError("storage-unavailable", "The store has been closed.");
        this.#plainReader ??= openReader(this.location, PLAIN_CACHE_KIB);
        return this.#plainReader;
      }
      #closeReaders() {
        this.#reader?.close();
        this.#plainReader?.close();
        this.#reader = void 0;
        this.#plainReader = void 0;
      }
      async #guard(work) {
        try {
          return await work();
        } catch (error) {
          throw asStorageError(error, this.location);
        }
      }
      /** File events say when to look, `data_version` says whether there is anything new; a slow poll covers lost events. */
      #watch() {
        const version = () => {
          try {
            return this.#read().database.pragma("data_version", { simple: true });
          } catch {
            return void 0;
          }
        };
        let seen = version();
        const look = () => {
          const now = version();
          if (now === seen) return;
          seen = now;
          for (const listener of this.#listeners) listener();
        };
        const wal = `${basename(this.location)}-wal`;
        let secondLook;
        let watcher;
        try {
          watcher = watch(dirname4(this.location), { persistent: false }, (_event, name) => {
            if (name !== wal) return;
            look();
            clearTimeout(secondLook);
            secondLook = setTimeout(look, SECOND_LOOK_MS);
          });
          watcher.on("error", () => watcher?.close());
        } catch {
          watcher = void 0;
        }
        const poll = setInterval(look, POLL_MS);
        poll.unref();
        return () => {
          watcher?.close();
          clearInterval(poll);
          clearTimeout(secondLook);
        };
      }
    };
  }
});

// src/generated/sqlite/migrations.ts
var migrations_exports2 = {};
__export(migrations_exports2, {
  migrations: () => migrations2
});
var migrations2;
var init_migrations2 = __esm({
  "src/generated/sqlite/migrations.ts"() {
    migrations2 = [
      {
        "name": "20261120115909_init",
        "checksum": "24487a5c30337c04a6230ca6ecc3fdae592b49583a3c237e62f7c72fc707c121",
        "sql": `-- CreateTable
CREATE TABLE "imported_file" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "path" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "identity" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "modified_at" BIGINT NOT NULL,
    "offset" BIGINT NOT NULL,
    "line" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "parser_state" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "source_run" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "file_id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "first_line" INTEGER NOT NULL,
    "line_count" INTEGER NOT NULL,
    "pack_id" INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "import_skip" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "path" TEXT NOT NULL,
    "line" INTEGER,
    "reason" TEXT NOT NULL,
    "count" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "state" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    PRIMARY KEY ("scope", "key")
);

-- CreateTable
CREATE TABLE "note" (
    "workspace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "session_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    PRIMARY KEY ("workspace", "key")
);

-- CreateTable
CREATE TABLE "memory_version" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "entry_id" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "confidence" REAL NOT NULL,
    "examples" TEXT NOT NULL,
    "session_id" TEXT,
    "message_id" TEXT,
    "first_seen_at" BIGINT NOT NULL,
    "last_confirmed_at" BIGINT NOT NULL,
    "applications" INTEGER NOT NULL,
    "valid_from" BIGINT NOT NULL,
    "valid_to" BIGINT
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspace" TEXT NOT NULL,
    "session_id" TEXT,
    "at" BIGINT NOT NULL,
    "commit" TEXT NOT NULL,
    "files" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "workspace" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "path" TEXT NOT NULL,
    "name" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "label" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "kind" INTEGER NOT NULL,
    "value" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "session" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "external_id" TEXT NOT NULL,
    "workspace_id" INTEGER NOT NULL DEFAULT 0,
    "branch_id" INTEGER NOT NULL DEFAULT 0,
    "title" TEXT,
    "titled" INTEGER NOT NULL DEFAULT 0,
    "forked_from" TEXT,
    "started_at" BIGINT,
    "updated_at" BIGINT,
    "next_seq" INTEGER NOT NULL DEFAULT 0,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "favourite" INTEGER NOT NULL DEFAULT 0,
    "redactions" INTEGER NOT NULL DEFAULT 0,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "cost_nano" BIGINT NOT NULL DEFAULT 0,
    "unpriced" INTEGER NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE "deleted_session" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "deleted_at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "entry" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "session_id" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" BIGINT,
    "kind" INTEGER NOT NULL,
    "role" INTEGER,
    "external_id" TEXT,
    "pack_id" INTEGER,
    "offset" INTEGER,
    "length" INTEGER,
    "body" BLOB
);

-- CreateTable
CREATE TABLE "pack" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "session_id" INTEGER NOT NULL,
    "raw_size" INTEGER NOT NULL,
    "refs" BLOB NOT NULL,
    "data" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "block" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "hash" BLOB NOT NULL,
    "pack_id" INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "said" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "block_use" (
    "block_id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,

    PRIMARY KEY ("block_id", "session_id")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "usage_fact" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "call_hash" BLOB NOT NULL,
    "session_id" INTEGER NOT NULL,
    "at" BIGINT,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "provider_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "subagent_id" INTEGER NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "cache_read" INTEGER NOT NULL,
    "cache_write_5m" INTEGER NOT NULL,
    "cache_write_1h" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "reasoning_tokens" INTEGER NOT NULL,
    "cost_nano" BIGINT,
    "cost_state" INTEGER NOT NULL,
    "cost_cache_read" BIGINT NOT NULL DEFAULT 0,
    "cost_cache_write" BIGINT NOT NULL DEFAULT 0,
    "cost_output" BIGINT NOT NULL DEFAULT 0,
    "saved_nano" BIGINT NOT NULL DEFAULT 0,
    "visible_chars" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "usage_quarter" (
    "bucket" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    PRIMARY KEY ("bucket", "session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "usage_day" (
    "day" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    PRIMARY KEY ("day", "session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "usage_margin" (
    "dimension" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "value_id" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    PRIMARY KEY ("dimension", "day", "value_id", "shard")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "usage_total" (
    "bucket" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    PRIMARY KEY ("bucket", "shard")
) WITHOUT ROWID;

-- CreateIndex
CREATE UNIQUE INDEX "imported_file_path_key" ON "imported_file"("path");

-- CreateIndex
CREATE INDEX "source_run_session_id_idx" ON "source_run"("session_id");

-- CreateIndex
CREATE INDEX "source_run_file_id_first_line_idx" ON "source_run"("file_id", "first_line");

-- CreateIndex
CREATE INDEX "import_skip_path_idx" ON "import_skip"("path");

-- CreateIndex
CREATE INDEX "memory_version_entry_id_valid_from_idx" ON "memory_version"("entry_id", "valid_from");

-- CreateIndex
CREATE INDEX "memory_version_workspace_valid_to_idx" ON "memory_version"("workspace", "valid_to");

-- CreateIndex
CREATE INDEX "checkpoint_workspace_at_idx" ON "checkpoint"("workspace", "at");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_path_key" ON "workspace"("path");

-- CreateIndex
CREATE INDEX "workspace_name_idx" ON "workspace"("name");

-- CreateIndex
CREATE UNIQUE INDEX "label_kind_value_key" ON "label"("kind", "value");

-- CreateIndex
CREATE UNIQUE INDEX "session_key_key" ON "session"("key");

-- CreateIndex
CREATE INDEX "session_external_id_idx" ON "session"("external_id");

-- CreateIndex
CREATE INDEX "session_updated_at_idx" ON "session"("updated_at");

-- CreateIndex
CREATE INDEX "session_cost_nano_idx" ON "session"("cost_nano");

-- CreateIndex
CREATE INDEX "session_workspace_id_updated_at_idx" ON "session"("workspace_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "entry_session_id_seq_key" ON "entry"("session_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "entry_session_id_external_id_key" ON "entry"("session_id", "external_id");

-- CreateIndex
CREATE INDEX "pack_session_id_idx" ON "pack"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "block_hash_key" ON "block"("hash");

-- CreateIndex
CREATE INDEX "block_pack_id_idx" ON "block"("pack_id");

-- CreateIndex
CREATE INDEX "block_use_session_id_idx" ON "block_use"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "usage_fact_call_hash_key" ON "usage_fact"("call_hash");

-- CreateIndex
CREATE INDEX "usage_fact_session_id_idx" ON "usage_fact"("session_id");

-- CreateIndex
CREATE INDEX "usage_fact_at_idx" ON "usage_fact"("at");

-- CreateIndex
CREATE INDEX "usage_day_session_id_idx" ON "usage_day"("session_id");

-- Written by hand: full-text index without a copy of the text (the models can't say it).
CREATE VIRTUAL TABLE "search_text" USING fts5(text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
`
      },
      {
        "name": "20261121151341_session_list_index",
        "checksum": "7977c5ee0fb49c3095a6068b3dfe78ea0907e84973332df01d1e0d454e914524",
        "sql": '-- DropIndex\nDROP INDEX "session_workspace_id_updated_at_idx";\n\n-- DropIndex\nDROP INDEX "session_cost_nano_idx";\n\n-- DropIndex\nDROP INDEX "session_updated_at_idx";\n\n-- DropIndex\nDROP INDEX "usage_day_session_id_idx";\n\n-- CreateIndex\nCREATE INDEX "session_list_idx" ON "session"("updated_at", "started_at", "workspace_id", "branch_id", "agent_id", "message_count", "cost_nano");\n\n-- CreateIndex\nCREATE INDEX "usage_day_session_id_model_id_idx" ON "usage_day"("session_id", "model_id");\n'
      },
      {
        "name": "20261121182508_memory_and_recall",
        "checksum": "9e0e3e0387ec8a024799bc9c8486b72234912f81706865ba439dd09016f4570e",
        "sql": `-- CreateTable
CREATE TABLE "note_version" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "workspace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "session_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "valid_from" BIGINT NOT NULL,
    "valid_to" BIGINT
);

-- CreateTable
CREATE TABLE "search_tail" (
    "entry_id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "session_id" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "data" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "search_segment" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "workspace_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "messages" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "head" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "search_page" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "data" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "search_pending" (
    "session_id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "from_seq" INTEGER NOT NULL,
    "until_seq" INTEGER NOT NULL
);

-- AlterTable
ALTER TABLE "memory_version" ADD COLUMN "confirmations" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "memory_version" ADD COLUMN "contradictions" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "memory_version" ADD COLUMN "commit" TEXT;
ALTER TABLE "memory_version" ADD COLUMN "source" TEXT NOT NULL DEFAULT 'user';
ALTER TABLE "memory_version" ADD COLUMN "ended" TEXT;
ALTER TABLE "memory_version" ADD COLUMN "replaced_by" TEXT;
ALTER TABLE "memory_version" ADD COLUMN "words" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "memory_version_words_valid_to_idx" ON "memory_version"("words", "valid_to");

-- CreateIndex
CREATE INDEX "note_version_workspace_key_valid_to_idx" ON "note_version"("workspace", "key", "valid_to");

-- CreateIndex
CREATE INDEX "search_tail_workspace_id_idx" ON "search_tail"("workspace_id");

-- CreateIndex
CREATE INDEX "search_tail_session_id_idx" ON "search_tail"("session_id");

-- CreateIndex
CREATE INDEX "search_segment_workspace_id_idx" ON "search_segment"("workspace_id");

-- Written by hand: what notes say now is their first version.
INSERT INTO "note_version" ("workspace", "key", "text", "session_id", "created_at", "valid_from")
SELECT "workspace", "key", "text", "session_id", "created_at", "updated_at" FROM "note";

-- DropTable
DROP TABLE "note";

-- Written by hand: the search index is made anew in its own form, at the first need of it.
DROP TABLE "search_text";
INSERT INTO "search_pending" ("session_id", "from_seq", "until_seq") SELECT "id", 0, "next_seq" FROM "session";
`
      }
    ];
  }
});

// ../../../../tmp/b/m.mjs
import { readFileSync } from "node:fs";

// src/open-store.ts
init_src();
import { resolve } from "node:path";

// src/packs/pack-reader.ts
init_src();
init_schema();
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { LRUCache } from "lru-cache";

// src/packs/references.ts
var MARK = "";
var MARK_END = "";
var encodeReferences = (references) => {
  const bytes = [];
  const push = (value) => {
    let rest = value;
    while (rest >= 128) {
      bytes.push(rest % 128 + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  };
  for (const reference of references) {
    if ("blockId" in reference) {
      push(0);
      push(reference.blockId);
    } else {
      push(reference.length + 1);
      push(reference.offset);
    }
  }
  return Uint8Array.from(bytes);
};
var decodeReferences = (bytes) => {
  const numbers = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += byte % 128 * scale;
    if (byte >= 128) {
      scale *= 128;
    } else {
      numbers.push(value);
      value = 0;
      scale = 1;
    }
  }
  const references = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const [first, second] = [numbers[index] ?? 0, numbers[index + 1] ?? 0];
    references.push(first === 0 ? { blockId: second } : { length: first - 1, offset: second });
  }
  return references;
};

// src/packs/pack-reader.ts
var CACHE_BYTES = 16 * 1024 * 1024;
var decompress = promisify(zstdDecompress);
var PackReader = class {
  #database;
  #packs = new LRUCache({ maxSize: CACHE_BYTES, sizeCalculation: (pack) => pack.bytes.byteLength + 64 });
  constructor(database) {
    this.#database = database;
  }
  /** Slices of packs, in the order asked for. Content that is missing or damaged rejects with `storage-corrupt`. */
  async read(slices) {
    const packs = await this.#open(new Set(slices.map((slice) => slice.packId)));
    const blockIds = /* @__PURE__ */ new Set();
    for (const pack of packs.values()) for (const reference of pack.references) if ("blockId" in reference) blockIds.add(reference.blockId);
    const blocks = new Map((await this.#database.lookup(tables.block, { columns: ["id", "pack_id", "offset", "length"], key: "id" }, [...blockIds])).map((row) => [row.id, row]));
    const others = await this.#open(new Set([...blocks.values()].map((block) => block.pack_id)));
    const textOf = (pack, reference) => {
      const target = pack.references[reference];
      if (target === void 0) throw damaged(`reference ${reference}`);
      if (!("blockId" in target)) return pack.bytes.toString("utf8", target.offset, target.offset + target.length);
      const block = blocks.get(target.blockId);
      const other = block === void 0 ? void 0 : others.get(block.pack_id);
      if (block === void 0 || other === void 0) throw damaged(`block ${target.blockId}`);
      return other.bytes.toString("utf8", block.offset, block.offset + block.length);
    };
    return slices.map(({ packId, offset, length }) => {
      const pack = packs.get(packId);
      if (pack === void 0) throw damaged(`pack ${packId}`);
      return { bytes: pack.bytes.subarray(offset, offset + length), text: (reference) => textOf(pack, reference) };
    });
  }
  /** Forgets what is cached, after content was moved or removed. */
  clear() {
    this.#packs.clear();
  }
  async #open(ids) {
    const found = /* @__PURE__ */ new Map();
    const missing2 = [];
    for (const id of ids) {
      const pack = this.#packs.get(id);
      if (pack === void 0) missing2.push(id);
      else found.set(id, pack);
    }
    for (const row of await this.#database.lookup(tables.pack, { columns: ["id", "raw_size", "refs", "data"], key: "id" }, missing2)) {
      const pack = { bytes: await unpack(row), references: decodeReferences(row.refs) };
      this.#packs.set(row.id, pack);
      found.set(row.id, pack);
    }
    return found;
  }
};
var unpack = async (row) => {
  try {
    return await decompress(row.data, { maxOutputLength: Math.max(row.raw_size, 1) });
  } catch (error) {
    throw damaged(`pack ${row.id}`, error);
  }
};
var damaged = (what, cause) => new StorageError("storage-corrupt", `Content of the store is damaged or missing (${what}); the rest can be read. cairn doctor names the sessions that are concerned.`, { cause });

// src/prisma/client.ts
var LazyClient = class {
  #database;
  #client;
  constructor(database) {
    this.#database = database;
  }
  get() {
    this.#client ??= connect(this.#database);
    return this.#client;
  }
  async close() {
    const client = await this.#client?.catch(() => void 0);
    await client?.$disconnect();
  }
};
var connect = async (database) => {
  const transactionOptions = { maxWait: 6e4, timeout: 6e4 };
  if (database.dialect === "sqlite") {
    const [{ PrismaClient: Sqlite2 }, { queuedSqliteAdapter: queuedSqliteAdapter2 }] = await Promise.all([Promise.resolve().then(() => (init_client(), client_exports)), Promise.resolve().then(() => (init_sqlite_adapter(), sqlite_adapter_exports))]);
    return new Sqlite2({ adapter: queuedSqliteAdapter2(database.location, database.queue), transactionOptions });
  }
  const [{ PrismaClient: Postgres }, { PrismaPg }] = await Promise.all([Promise.resolve().then(() => (init_client2(), client_exports2)), import("@prisma/adapter-pg")]);
  return new Postgres({ adapter: new PrismaPg(database.pool), transactionOptions });
};

// src/repository/appends.ts
init_src();

// src/repository/context.ts
var rowLock = (context) => context.database.dialect === "postgresql" ? " FOR UPDATE" : "";

// src/repository/labels.ts
init_schema();
var labelKind = { agent: 1, model: 2, provider: 3, mode: 4, branch: 5, subagent: 6 };
var workspaceName = (path3) => path3.split(/[\\/]/).filter((part) => part !== "").at(-1) ?? path3;
var storableText = (text) => text.replaceAll("\0", "\uFFFD").toWellFormed();
var ESCAPED = "";
var encodedText = (text) => text.startsWith(ESCAPED) || storableText(text) !== text ? `${ESCAPED}${JSON.stringify(text)}` : text;
var decodedText = (stored) => stored.startsWith(ESCAPED) ? JSON.parse(stored.slice(ESCAPED.length)) : stored;
var LabelCache = class {
  ids = /* @__PURE__ */ new Map();
};
var Labels = class {
  #transaction;
  #cache;
  #made = /* @__PURE__ */ new Map();
  constructor(transaction, cache2) {
    this.#transaction = transaction;
    this.#cache = cache2;
  }
  /** 0 for undefined: not known. */
  async label(kind, value) {
    if (value === void 0 || value === "") return 0;
    const text = storableText(value);
    return this.#id(`${labelKind[kind]}:${text}`, async () => {
      await this.#transaction.insert(tables.label, ["kind", "value"], [[labelKind[kind], text]], "ON CONFLICT (kind, value) DO NOTHING");
      return this.#transaction.all("SELECT id FROM label WHERE kind = ? AND value = ?", [labelKind[kind], text]);
    });
  }
  /** 0 for undefined: not known. */
  async workspace(path3) {
    if (path3 === void 0 || path3 === "") return 0;
    const text = storableText(path3);
    return this.#id(`w:${text}`, async () => {
      await this.#transaction.insert(tables.workspace, ["path", "name"], [[text, workspaceName(text)]], "ON CONFLICT (path) DO NOTHING");
      return this.#transaction.all("SELECT id FROM workspace WHERE path = ?", [text]);
    });
  }
  /** To be called when the transaction has been committed. */
  remember() {
    for (const [key, id] of this.#made) this.#cache.ids.set(key, id);
  }
  async #id(key, make) {
    const known2 = this.#cache.ids.get(key) ?? this.#made.get(key);
    if (known2 !== void 0) return known2;
    const id = (await make())[0]?.id ?? 0;
    this.#made.set(key, id);
    return id;
  }
};

// src/repository/prepared-content.ts
init_src();
init_schema();

// src/packs/pack-draft.ts
import { hash } from "node:crypto";
import { promisify as promisify2 } from "node:util";
import { constants, zstdCompress } from "node:zlib";
var hashKeyOf = (digest) => Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString("latin1");
var compress = promisify2(zstdCompress);
var compression = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    // A damaged pack is noticed when it is read.
    [constants.ZSTD_c_checksumFlag]: 1
  }
};
var PackDraft = class {
  #numbers = /* @__PURE__ */ new Map();
  texts = [];
  /** The text's number in this pack. */
  number(text, said) {
    const known2 = this.#numbers.get(text);
    if (known2 !== void 0) {
      const draft = this.texts[known2];
      if (said && draft !== void 0) draft.said = true;
      return known2;
    }
    const digest = hash("sha256", text, "buffer");
    const number2 = this.texts.push({ text, digest, key: hashKeyOf(digest), said }) - 1;
    this.#numbers.set(text, number2);
    return number2;
  }
  /** The block of a text that was numbered. */
  find(text) {
    const number2 = this.#numbers.get(text);
    return number2 === void 0 ? void 0 : this.texts[number2];
  }
  /** Compresses `parts` with the blocks that are not `elsewhere`. Runs on the thread pool. */
  async seal(parts, elsewhere) {
    const chunks = [];
    let size = 0;
    const add = (chunk) => {
      const place = { offset: size, length: chunk.byteLength };
      chunks.push(chunk);
      size += chunk.byteLength;
      return place;
    };
    const newBlocks = [];
    const here = /* @__PURE__ */ new Map();
    for (const { text, digest, key, said } of this.texts) {
      if (elsewhere(key)) continue;
      const place = add(Buffer.from(text, "utf8"));
      here.set(key, place);
      newBlocks.push({ ...place, digest, key, said });
    }
    const places = parts.map(add);
    const data = await compress(Buffer.concat(chunks, size), compression);
    const { texts } = this;
    return {
      rawSize: size,
      data,
      newBlocks,
      places,
      references: (blockId) => encodeReferences(texts.map(({ key }) => here.get(key) ?? { blockId: blockId(key) }))
    };
  }
};

// src/packs/dehydrate.ts
var BLOCK_MINIMUM = 512;
var dehydrateBody = (value, keep) => JSON.stringify(withReferences(value, keep));
var withReferences = (value, keep) => {
  if (typeof value === "string") {
    if (value.length >= BLOCK_MINIMUM && value.isWellFormed()) return `${MARK}${keep(value)}`;
    return value.startsWith(MARK) ? `${MARK}${value}` : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withReferences(item, keep) ?? null);
  const copy = {};
  for (const [key, item] of Object.entries(value)) define(copy, key, withReferences(item, keep));
  return copy;
};
var define = (target, key, value) => {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
};
var hydrateBody = (body, text) => {
  const revive = (value) => {
    if (typeof value === "string") {
      if (!value.startsWith(MARK)) return value;
      return value.startsWith(MARK, 1) ? value.slice(1) : text(Number(value.slice(1)));
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => revive(item) ?? null);
    for (const [key, item] of Object.entries(value)) define(value, key, revive(item));
    return value;
  };
  const parsed = JSON.parse(body);
  return body.includes("\\u0001") ? revive(parsed) ?? null : parsed;
};
var dehydrateLine = (line, keep) => {
  if (line.length < BLOCK_MINIMUM) return line;
  let result = "";
  let copied = 0;
  for (let open2 = line.indexOf('"'); open2 !== -1; ) {
    const close = closingQuote(line, open2);
    if (close === -1) break;
    if (close - open2 - 1 >= BLOCK_MINIMUM) {
      const literal = line.slice(open2, close + 1);
      const text = parsedLiteral(literal);
      if (text !== void 0 && text.length >= BLOCK_MINIMUM && text.isWellFormed() && JSON.stringify(text) === literal) {
        result += `${line.slice(copied, open2)}${MARK}${keep(text)}${MARK_END}`;
        copied = close + 1;
      }
    }
    open2 = line.indexOf('"', close + 1);
  }
  return copied === 0 ? line : result + line.slice(copied);
};
var parsedLiteral = (literal) => {
  try {
    const value = JSON.parse(literal);
    return typeof value === "string" ? value : void 0;
  } catch {
    return void 0;
  }
};
var closingQuote = (line, open2) => {
  for (let close = line.indexOf('"', open2 + 1); close !== -1; close = line.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (line.charCodeAt(close - 1 - backslashes) === 92) backslashes += 1;
    if (backslashes % 2 === 0) return close;
  }
  return -1;
};
var hydrateLine = (line, text) => line.includes(MARK) ? line.replace(REFERENCE, (_match, reference) => JSON.stringify(text(Number(reference)))) : line;
var REFERENCE = new RegExp(`${MARK}(\\d+)${MARK_END}`, "g");

// src/packs/source-lines.ts
var encoder2 = new TextEncoder();
var decoder2 = new TextDecoder("utf-8", { ignoreBOM: true });
var encodeLines = (lines, keep) => {
  let header = "";
  const parts = [];
  for (const line of lines) {
    const isText = typeof line === "string" && !line.includes(MARK);
    const bytes = typeof line !== "string" ? line : encoder2.encode(isText ? dehydrateLine(line, keep) : line);
    header += `${isText ? "j" : "r"}${bytes.byteLength}`;
    parts.push(bytes);
  }
  return Buffer.concat([encoder2.encode(`${header};`), ...parts]);
};
var decodeLines = (bytes, text) => {
  const end2 = bytes.indexOf(59);
  const header = decoder2.decode(bytes.subarray(0, end2));
  const lines = [];
  let place = end2 + 1;
  for (const [, kind, length] of header.matchAll(/([jr])(\d+)/g)) {
    const slice = bytes.subarray(place, place + Number(length));
    lines.push(kind === "r" ? new Uint8Array(slice) : encoder2.encode(hydrateLine(decoder2.decode(slice), text)));
    place += Number(length);
  }
  return lines;
};

// src/repository/entry-codec.ts
var kinds = {
  message: 1,
  edit: 2,
  pin: 3,
  truncation: 4,
  compaction: 5,
  file: 6,
  model: 7,
  checkpoint: 8,
  todo: 9,
  rewind: 10,
  title: 11,
  favourite: 12,
  notice: 13,
  rewrite: 14
};
var roles = { user: 1, assistant: 2, system: 3, tool: 4 };
var kindCode = (kind) => kinds[kind];
var roleCode = (role) => roles[role];
var bodyOf = (entry) => ({ ...entry, at: void 0 });
var entryOf = (seq, at, body) => ({ ...body, seq, at });

// src/repository/prepared-content.ts
var INLINE_MAXIMUM = 4096;
var encoder3 = new TextEncoder();
var nothingPending = { has: () => false, saidIn: () => void 0, add: () => void 0 };
var prepareContent = async (content, database, pending) => {
  const draft = new PackDraft();
  const bodies = content.writes.map(({ entry }) => encoder3.encode(dehydrateBody(bodyOf(entry), (text) => draft.number(text, true))));
  const runs = content.runs.map((run) => encodeLines(run.lines, (text) => draft.number(text, false)));
  const bodyBytes = bodies.reduce((sum, body) => sum + body.byteLength, 0);
  if (draft.texts.length === 0 && runs.length === 0 && bodyBytes <= INLINE_MAXIMUM) {
    return { ...content, inline: bodies, pack: void 0, elsewhere: [], analysed: analysedMessages(content, () => false) };
  }
  const stored = await storedBlocks(database, draft);
  const elsewhere = draft.texts.filter(({ key }) => stored.has(key) || pending.has(key)).map(({ key, digest, said }) => ({ key, digest, said }));
  const elsewhereKeys = new Set(elsewhere.map(({ key }) => key));
  const saidBefore = await saidKeys(database, content.session.id, stored);
  for (const { key } of elsewhere) if (pending.saidIn(key) === content.session.id) saidBefore.add(key);
  for (const { key, said } of draft.texts) if (!elsewhereKeys.has(key)) pending.add(key, said ? content.session.id : void 0);
  const sealing = draft.seal([...bodies, ...runs], (key) => elsewhereKeys.has(key));
  const analysed = analysedMessages(content, (text) => {
    const key = text.length < BLOCK_MINIMUM ? void 0 : draft.find(text)?.key;
    return key !== void 0 && (saidBefore.has(key) || !saidBefore.add(key));
  });
  return { ...content, inline: void 0, pack: await sealing, elsewhere, analysed };
};
var analysedMessages = ({ writes }, isRepeated) => writes.map(({ entry }) => entry.kind === "message" ? encodeMessage(entry.at, analyseEntry(entry, isRepeated)) : void 0);
var storedBlocks = async (database, draft) => {
  const digests = draft.texts.map((text) => text.digest);
  const rows = await database.lookup(tables.block, { columns: ["hash", "pack_id", "said"], key: "hash" }, digests);
  return new Map(rows.map((row) => [hashKeyOf(row.hash), row]));
};
var saidKeys = async (database, sessionKey, stored) => {
  const said = [...stored].filter(([, block]) => block.said === 1);
  if (said.length === 0) return /* @__PURE__ */ new Set();
  const [session] = await database.all('SELECT id FROM session WHERE "key" = ?', [storableText(sessionKey)]);
  if (session === void 0) return /* @__PURE__ */ new Set();
  const packs = await database.lookup(tables.pack, { columns: ["id", "session_id"], key: "id" }, [...new Set(said.map(([, block]) => block.pack_id))]);
  const own = new Set(packs.filter((pack) => pack.session_id === session.id).map(({ id }) => id));
  return new Set(said.filter(([, block]) => own.has(block.pack_id)).map(([key]) => key));
};

// src/repository/request-merge.ts
init_src();
init_schema();
import { hash as hash2 } from "node:crypto";

// src/repository/rollups.ts
init_schema();
var dimensionColumns2 = ["session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id"];
var sumColumns2 = [
  "requests",
  "input_tokens",
  "cache_read",
  "cache_write_5m",
  "cache_write_1h",
  "output_tokens",
  "reasoning_tokens",
  "cost_nano",
  "recorded_nano",
  "cost_cache_read_nano",
  "cost_cache_write_nano",
  "cost_output_nano",
  "saved_nano",
  "unpriced",
  "partial",
  "missing_output"
];
var BUCKETS_PER_DAY = 96;
var SHARDS = { sqlite: 1, postgresql: 16 };
var dayOf = (bucket) => bucket < 0 ? -1 : Math.floor(bucket / BUCKETS_PER_DAY);
var shardOf = (row, shards) => (row.dimensions[0] ?? 0) % shards;
var marginNumber = { workspace_id: 1, model_id: 2, mode_id: 3, agent_id: 4, branch_id: 5 };
var marginKeys = (row, shards) => dimensionColumns2.flatMap((column, index) => {
  const number2 = marginNumber[column];
  return number2 === void 0 ? [] : [[number2, dayOf(row.bucket), row.dimensions[index] ?? 0, shardOf(row, shards)]];
});
var rollups = [
  { table: tables.usageQuarter, keyColumns: ["bucket", ...dimensionColumns2], keys: (row) => [[row.bucket, ...row.dimensions]] },
  { table: tables.usageDay, keyColumns: ["day", ...dimensionColumns2], keys: (row) => [[dayOf(row.bucket), ...row.dimensions]] },
  { table: tables.usageMargin, keyColumns: ["dimension", "day", "value_id", "shard"], keys: marginKeys },
  { table: tables.usageTotal, keyColumns: ["bucket", "shard"], keys: (row, shards) => [[row.bucket, shardOf(row, shards)]] }
];
var rollupTables = rollups.map(({ table }) => ({
  name: table.name,
  times: table === tables.usageMargin ? Object.keys(marginNumber).length : 1
}));
var addToRollups = async (transaction, dialect, added, removed = []) => {
  if (added.length + removed.length === 0) return;
  await addToSessions(transaction, added, removed);
  for (const rollup of rollups) {
    const deltas = /* @__PURE__ */ new Map();
    for (const row of added) for (const key of rollup.keys(row, SHARDS[dialect])) accumulate(deltas, key, row.counts, 1);
    for (const row of removed) for (const key of rollup.keys(row, SHARDS[dialect])) accumulate(deltas, key, row.counts, -1);
    await apply(transaction, rollup, deltas, removed.length > 0);
  }
};
var REQUESTS = sumColumns2.indexOf("requests");
var COST = sumColumns2.indexOf("cost_nano");
var UNPRICED = sumColumns2.indexOf("unpriced");
var addToSessions = async (transaction, added, removed) => {
  const deltas = /* @__PURE__ */ new Map();
  for (const row of added) accumulate(deltas, row.dimensions.slice(0, 1), row.counts, 1);
  for (const row of removed) accumulate(deltas, row.dimensions.slice(0, 1), row.counts, -1);
  const inOrder2 = [...deltas.values()].sort((left, right) => compareKeys(left.key, right.key));
  for (const { key, counts } of inOrder2) {
    await transaction.run("UPDATE session SET requests = requests + ?, cost_nano = cost_nano + ?, unpriced = unpriced + ? WHERE id = ?", [
      counts[REQUESTS] ?? 0,
      counts[COST] ?? 0,
      counts[UNPRICED] ?? 0,
      key[0] ?? 0
    ]);
  }
};
var accumulate = (deltas, key, counts, sign) => {
  const name = key.join(",");
  const delta = deltas.get(name);
  if (delta === void 0) {
    deltas.set(name, { key, counts: counts.map((count) => signed(count, sign)) });
    return;
  }
  for (const [index, count] of counts.entries()) delta.counts[index] = plus(delta.counts[index] ?? 0, signed(count, sign));
};
var signed = (count, sign) => sign === 1 ? count : -count;
var plus = (left, right) => typeof left === "bigint" || typeof right === "bigint" ? BigInt(left) + BigInt(right) : left + right;
var apply = async (transaction, { table, keyColumns }, deltas, mayEmpty) => {
  const changed = [...deltas.values()].filter((delta) => delta.counts.some((count) => count !== 0 && count !== 0n));
  changed.sort((left, right) => compareKeys(left.key, right.key));
  const sums2 = sumColumns2.map((column) => `"${column}" = ${table.name}."${column}" + excluded."${column}"`).join(", ");
  await transaction.insert(
    table,
    [...keyColumns, ...sumColumns2],
    changed.map((delta) => [...delta.key, ...delta.counts]),
    `ON CONFLICT (${keyColumns.map((column) => `"${column}"`).join(", ")}) DO UPDATE SET ${sums2}`
  );
  if (!mayEmpty) return;
  const emptied = `DELETE FROM ${table.name} WHERE requests = 0 AND ${keyColumns.map((column) => `"${column}" = ?`).join(" AND ")}`;
  for (const delta of changed) if (Number(delta.counts[0]) < 0) await transaction.run(emptied, delta.key);
};
var compareKeys = (left, right) => {
  for (const [index, value] of left.entries()) {
    const difference = value - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

// src/repository/request-merge.ts
var costStates = ["recorded", "computed", "unpriced"];
var factColumns = Object.keys(tables.usage.columns);
var rollupRowOf = (fact) => {
  const cost = BigInt(fact.cost_nano ?? 0);
  return {
    bucket: bucketOf(fact.at),
    dimensions: [fact.session_id, fact.workspace_id, fact.model_id, fact.mode_id, fact.agent_id, fact.branch_id],
    counts: [
      1,
      fact.input_tokens,
      fact.cache_read,
      fact.cache_write_5m,
      fact.cache_write_1h,
      fact.output_tokens,
      fact.reasoning_tokens,
      cost,
      fact.cost_state === 0 ? cost : 0n,
      BigInt(fact.cost_cache_read),
      BigInt(fact.cost_cache_write),
      BigInt(fact.cost_output),
      BigInt(fact.saved_nano),
      fact.cost_state === 2 ? 1 : 0,
      isPartial(fact.output_tokens, fact.visible_chars) ? 1 : 0,
      missingOutputTokens(fact.output_tokens, fact.visible_chars)
    ]
  };
};
var callHash = (agent, callId) => hash2("sha256", `${agent}\0${callId}`, "buffer").subarray(0, 16);
var keyOf = (digest) => Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString("latin1");
var mergeRequests = async (transaction, dialect, labels, reports) => {
  if (reports.length === 0) return 0;
  const news = /* @__PURE__ */ new Map();
  const rows = /* @__PURE__ */ new Map();
  for (const report of reports) {
    rows.set(report.sessionId, report.row);
    const digest = callHash(report.agent, report.fact.callId);
    const known2 = news.get(keyOf(digest));
    if (known2 === void 0) news.set(keyOf(digest), { digest, agent: report.agent, report });
    else known2.report = mergeReports(known2.report, report);
  }
  const digests = [...news.values()].map(({ digest }) => digest);
  const stored = await transaction.lookup(tables.usage, { columns: factColumns, key: "call_hash" }, digests);
  const storedReports = await reportsOf(transaction, stored, rows);
  const added = [];
  const removed = [];
  for (const [index, old] of stored.entries()) {
    const key = keyOf(old.call_hash);
    const next = news.get(key);
    const before = storedReports[index];
    if (next === void 0 || before === void 0) continue;
    news.delete(key);
    const row = await factRow(labels, rows, next.agent, next.digest, mergeReports(before, next.report), old.id);
    const changed = factColumns.filter((column) => column !== "call_hash" && String(row[column]) !== String(old[column]));
    if (changed.length === 0) continue;
    await transaction.run(`UPDATE usage_fact SET ${changed.map((column) => `"${column}" = ?`).join(", ")} WHERE id = ?`, [...changed.map((column) => row[column]), old.id]);
    removed.push(rollupRowOf(old));
    added.push(rollupRowOf(row));
  }
  const ids = await transaction.reserveIds(tables.usage, news.size);
  const inserted = [];
  for (const { digest, agent, report } of news.values()) inserted.push(await factRow(labels, rows, agent, digest, report, ids[inserted.length] ?? 0));
  await transaction.insert(tables.usage, factColumns, inserted.map((row) => factColumns.map((column) => row[column])));
  await addToRollups(transaction, dialect, [...added, ...inserted.map(rollupRowOf)], removed);
  return inserted.length;
};
var reportsOf = async (transaction, facts, rows) => {
  if (facts.length === 0) return [];
  const names2 = async (table, column, ids) => {
    const found = await transaction.lookup(table, { columns: ["id", column], key: "id" }, [...new Set(ids)]);
    return new Map(found.map((row) => [row.id, row[column] ?? ""]));
  };
  const texts = await names2(tables.label, "value", facts.flatMap((fact) => [fact.model_id, fact.provider_id, fact.mode_id, fact.branch_id, fact.subagent_id]));
  const workspaces = await names2(tables.workspace, "path", facts.map((fact) => fact.workspace_id));
  const sessions = await names2(tables.session, "key", facts.map((fact) => fact.session_id));
  return facts.map((fact) => {
    const sessionId = sessions.get(fact.session_id) ?? "";
    rows.set(sessionId, fact.session_id);
    return { sessionId, fact: requestOf(fact, texts, workspaces), visibleCharacters: fact.visible_chars };
  });
};
var requestOf = (fact, texts, workspaces) => {
  const [provider, mode, subagent] = [texts.get(fact.provider_id), texts.get(fact.mode_id), texts.get(fact.subagent_id)];
  const [workspace, branch] = [workspaces.get(fact.workspace_id), texts.get(fact.branch_id)];
  return {
    callId: "",
    at: fact.at,
    model: texts.get(fact.model_id) ?? "",
    inputTokens: fact.input_tokens,
    cacheReadTokens: fact.cache_read,
    cacheWrite5mTokens: fact.cache_write_5m,
    cacheWrite1hTokens: fact.cache_write_1h,
    outputTokens: fact.output_tokens,
    reasoningTokens: fact.reasoning_tokens,
    costNano: fact.cost_nano === null ? null : BigInt(fact.cost_nano),
    costState: costStates[fact.cost_state] ?? "unpriced",
    costSplit: {
      cacheReadNano: BigInt(fact.cost_cache_read),
      cacheWriteNano: BigInt(fact.cost_cache_write),
      outputNano: BigInt(fact.cost_output),
      savedNano: BigInt(fact.saved_nano)
    },
    ...provider === void 0 ? {} : { provider },
    ...mode === void 0 ? {} : { mode },
    ...subagent === void 0 ? {} : { subagent },
    ...workspace === void 0 ? {} : { workspace },
    ...branch === void 0 ? {} : { branch }
  };
};
var factRow = async (labels, rows, agent, digest, report, id) => {
  const { fact } = report;
  return {
    id,
    call_hash: digest,
    session_id: rows.get(report.sessionId) ?? 0,
    at: fact.at,
    workspace_id: await labels.workspace(fact.workspace),
    model_id: await labels.label("model", fact.model),
    provider_id: await labels.label("provider", fact.provider),
    mode_id: await labels.label("mode", fact.mode),
    agent_id: await labels.label("agent", agent),
    branch_id: await labels.label("branch", fact.branch),
    subagent_id: await labels.label("subagent", fact.subagent),
    input_tokens: fact.inputTokens,
    cache_read: fact.cacheReadTokens,
    cache_write_5m: fact.cacheWrite5mTokens,
    cache_write_1h: fact.cacheWrite1hTokens,
    output_tokens: fact.outputTokens,
    reasoning_tokens: fact.reasoningTokens ?? 0,
    cost_nano: fact.costState === "unpriced" ? null : fact.costNano,
    cost_state: costStates.indexOf(fact.costState),
    cost_cache_read: fact.costSplit?.cacheReadNano ?? 0n,
    cost_cache_write: fact.costSplit?.cacheWriteNano ?? 0n,
    cost_output: fact.costSplit?.outputNano ?? 0n,
    saved_nano: fact.costSplit?.savedNano ?? 0n,
    visible_chars: report.visibleCharacters
  };
};

// src/repository/session-writer.ts
init_schema();

// src/search/index-rows.ts
init_src();
init_schema();
var IndexMoved = class extends Error {
};
var firstPageOf = (segmentId) => segmentId * PAGES_MAXIMUM;
var addToTail = (transaction, rows) => transaction.insert(
  tables.searchTail,
  ["entry_id", "session_id", "seq", "workspace_id", "data"],
  rows.map(({ entryId, sessionId, seq, workspaceId, data }) => [entryId, sessionId, seq, workspaceId, data])
);
var addSegment = async (transaction, workspaceId, level, whole) => {
  const { segment } = whole;
  if (segment.messages === 0) return;
  const [id = 0] = await transaction.reserveIds(tables.searchSegment, 1);
  await transaction.insert(
    tables.searchSegment,
    ["id", "workspace_id", "level", "messages", "bytes", "head"],
    [[id, workspaceId, level, segment.messages, segment.postingBytes, encodeHead(segment)]]
  );
  await transaction.insert(tables.searchPage, ["id", "data"], pagesIn(whole).map((page, number2) => [firstPageOf(id) + number2, page]));
};
var removeSegments = async (transaction, ids) => {
  for (const id of ids) {
    if (await transaction.run("DELETE FROM search_segment WHERE id = ?", [id]) !== 1) throw new IndexMoved();
    await transaction.run("DELETE FROM search_page WHERE id >= ? AND id < ?", [firstPageOf(id), firstPageOf(id + 1)]);
  }
};
var clearIndex = async (transaction) => {
  for (const { name } of [tables.searchTail, tables.searchSegment, tables.searchPage, tables.searchPending]) await transaction.run(`DELETE FROM ${name}`);
};
var countIndexed = async (reader) => {
  const rows = await reader.all(
    `SELECT (SELECT COALESCE(sum(messages), 0) FROM search_segment) + (SELECT count(*) FROM search_tail)
       + (SELECT count(*) FROM search_pending JOIN entry ON entry.session_id = search_pending.session_id
          WHERE entry.kind = 1 AND entry.seq >= search_pending.from_seq AND entry.seq < search_pending.until_seq) AS count`
  );
  return rows[0]?.count ?? 0;
};

// src/repository/session-writer.ts
var BlockGone = class extends Error {
};
var findSession = async (transaction, sessionKey, dialectLock) => {
  const rows = await transaction.all(`SELECT id, next_seq, workspace_id FROM session WHERE "key" = ?${dialectLock}`, [storableText(sessionKey)]);
  return rows[0] === void 0 ? void 0 : { ...rows[0], isNew: false };
};
var openSession = async (transaction, labels, facts, dialectLock) => {
  const known2 = await findSession(transaction, facts.id, dialectLock);
  if (known2 !== void 0) return known2;
  const agent = await labels.label("agent", facts.agent);
  const made = await transaction.insert(
    tables.session,
    ["key", "agent_id", "external_id", "workspace_id", "branch_id"],
    [[storableText(facts.id), agent, storableText(facts.externalId), await labels.workspace(facts.workspace), await labels.label("branch", facts.branch)]],
    'ON CONFLICT ("key") DO NOTHING'
  );
  const row = await findSession(transaction, facts.id, dialectLock);
  if (row === void 0) throw new Error(`the session ${facts.id} could not be made`);
  return { ...row, isNew: made === 1 };
};
var wasDeleted = async (transaction, sessionKey) => (await transaction.all('SELECT 1 FROM deleted_session WHERE "key" = ?', [storableText(sessionKey)])).length > 0;
var writeSession = async (transaction, labels, row, content) => {
  const fresh = await freshEntries(transaction, row, content.writes);
  const known2 = await knownBlocks(transaction, content);
  const packId = await writePack(transaction, row, content, known2);
  const kept = content.writes.flatMap((write, index) => fresh[index] === true ? [{ write, index }] : []);
  const ids = await transaction.reserveIds(tables.entry, kept.length);
  const rows = [];
  const tail = [];
  const workspaceId = row.workspace_id === 0 ? await labels.workspace(content.session.workspace) : row.workspace_id;
  let newMessages = 0;
  for (const [place, { write, index }] of kept.entries()) {
    const { entry } = write;
    const id = ids[place] ?? 0;
    const slice = content.pack?.places[index];
    const role = entry.kind === "message" ? roleCode(entry.role) : null;
    rows.push([
      id,
      row.id,
      row.next_seq + place,
      entry.at,
      kindCode(entry.kind),
      role,
      externalIdOf(write),
      slice === void 0 ? null : packId ?? null,
      slice?.offset ?? null,
      slice?.length ?? null,
      content.inline?.[index] ?? null
    ]);
    if (entry.kind !== "message") continue;
    newMessages += 1;
    const data = content.analysed[index];
    if (data !== void 0) tail.push({ entryId: id, sessionId: row.id, seq: row.next_seq + place, workspaceId, data });
  }
  await transaction.insert(tables.entry, Object.keys(tables.entry.columns), rows);
  await addToTail(transaction, tail);
  await updateSession(transaction, labels, row, content, kept.map(({ write }) => write), newMessages);
  const reports = content.writes.flatMap(
    (write, index) => write.request === void 0 ? [] : [
      {
        sessionId: content.session.id,
        row: row.id,
        agent: content.session.agent,
        fact: { ...placeOf2(content.session), ...write.request },
        visibleCharacters: fresh[index] === true ? write.visibleCharacters ?? 0 : 0
      }
    ]
  );
  return { row, fresh, newMessages, reports, packId, workspaceId };
};
var placeOf2 = ({ workspace, branch }) => ({
  ...workspace === void 0 ? {} : { workspace },
  ...branch === void 0 ? {} : { branch }
});
var externalIdOf = (write) => {
  const id = write.externalId ?? (write.entry.kind === "message" ? write.entry.id : void 0);
  return id === void 0 ? null : storableText(id);
};
var freshEntries = async (transaction, row, writes) => {
  const ids = writes.map(externalIdOf);
  const taken = /* @__PURE__ */ new Set();
  if (!row.isNew) {
    const wanted = ids.filter((id) => id !== null);
    const scope = { column: "session_id", value: row.id };
    for (const found of await transaction.lookup(tables.entry, { columns: ["external_id"], key: "external_id", scope }, wanted)) {
      taken.add(found.external_id);
    }
  }
  return ids.map((id) => {
    if (id === null) return true;
    if (taken.has(id)) return false;
    taken.add(id);
    return true;
  });
};
var knownBlocks = async (transaction, content) => {
  const known2 = /* @__PURE__ */ new Map();
  if (content.elsewhere.length === 0) return known2;
  const blocks = await transaction.lookup(
    tables.block,
    { columns: ["id", "hash", "pack_id", "said"], key: "hash" },
    content.elsewhere.map((block) => block.digest)
  );
  const packs = [...new Set(blocks.map((block) => block.pack_id))];
  const owners = new Map(
    (await transaction.lookup(tables.pack, { columns: ["id", "session_id"], key: "id" }, packs)).map((pack) => [pack.id, pack.session_id])
  );
  for (const block of blocks) known2.set(hashKeyOf(block.hash), { id: block.id, owner: owners.get(block.pack_id) ?? 0, said: block.said === 1 });
  if (known2.size < content.elsewhere.length) throw new BlockGone();
  return known2;
};
var writePack = async (transaction, row, content, known2) => {
  const { pack } = content;
  if (pack === void 0) return void 0;
  const references = pack.references((key) => known2.get(key)?.id ?? 0);
  const [packId = 0] = await transaction.reserveIds(tables.pack, 1);
  await transaction.insert(tables.pack, ["id", "session_id", "raw_size", "refs", "data"], [[packId, row.id, pack.rawSize, references, pack.data]]);
  const blocks = [...pack.newBlocks].sort((left, right) => Buffer.compare(left.digest, right.digest));
  const ids = await transaction.reserveIds(tables.block, blocks.length);
  await transaction.insert(
    tables.block,
    ["id", "hash", "pack_id", "offset", "length", "said"],
    blocks.map((block, index) => [ids[index] ?? 0, block.digest, packId, block.offset, block.length, block.said ? 1 : 0]),
    // Another writer was faster: this pack keeps its own copy, later ones will refer to the other's.
    "ON CONFLICT (hash) DO NOTHING"
  );
  const foreign = content.elsewhere.flatMap(({ key }) => {
    const block = known2.get(key);
    return block === void 0 || block.owner === row.id ? [] : [block.id];
  });
  const uses = [...new Set(foreign)].sort((left, right) => left - right).map((id) => [id, row.id]);
  await transaction.insert(tables.blockUse, ["block_id", "session_id"], uses, "ON CONFLICT (block_id, session_id) DO NOTHING");
  for (const { key, said } of content.elsewhere) {
    const block = known2.get(key);
    if (said && block?.said === false) await transaction.run("UPDATE block SET said = 1 WHERE id = ?", [block.id]);
  }
  return packId;
};
var updateSession = async (transaction, labels, row, content, kept, newMessages) => {
  const { session } = content;
  const times = kept.flatMap(({ entry }) => entry.at === null ? [] : [entry.at]);
  const first = times.reduce((least, at) => least === null || at < least ? at : least, null);
  const last = times.reduce((most, at) => most === null || at > most ? at : most, null);
  const given = kept.reduce((latest, { entry }) => entry.kind === "title" ? entry.title : latest, void 0);
  const title = given ?? session.title;
  const favourite = kept.reduce((latest, { entry }) => entry.kind === "favourite" ? Number(entry.favourite) : latest, null);
  const redactions = kept.reduce((sum, write) => sum + (write.redactions ?? 0), 0);
  await transaction.run(
    `UPDATE session SET
       next_seq = next_seq + ?, message_count = message_count + ?, redactions = redactions + ?,
       favourite = COALESCE(?, favourite), title = CASE WHEN titled > ? THEN title ELSE COALESCE(?, title) END,
       titled = CASE WHEN titled > ? THEN titled ELSE ? END, forked_from = COALESCE(?, forked_from),
       workspace_id = CASE WHEN workspace_id = 0 THEN ? ELSE workspace_id END,
       branch_id = CASE WHEN ? = 0 THEN branch_id ELSE ? END,
       started_at = CASE WHEN started_at IS NULL OR started_at > ? THEN COALESCE(?, started_at) ELSE started_at END,
       updated_at = CASE WHEN updated_at IS NULL OR updated_at < ? THEN COALESCE(?, updated_at) ELSE updated_at END
     WHERE id = ?`,
    [
      kept.length,
      newMessages,
      redactions,
      favourite,
      given === void 0 ? 0 : 1,
      title === void 0 ? null : storableText(title),
      given === void 0 ? 0 : 1,
      given === void 0 ? 0 : 1,
      session.forkedFrom === void 0 ? null : storableText(session.forkedFrom),
      await labels.workspace(session.workspace),
      await labels.label("branch", session.branch),
      await labels.label("branch", session.branch),
      first,
      first,
      last,
      last,
      row.id
    ]
  );
};

// src/repository/appends.ts
var LARGEST_GROUP = 64;
var Appends = class {
  #context;
  #waiting = [];
  #running;
  constructor(context) {
    this.#context = context;
  }
  append(session, expectedSeq, writes) {
    return new Promise((resolve2, reject) => {
      this.#waiting.push({ session, expectedSeq, writes, resolve: resolve2, reject });
      this.#running ??= this.#run();
    });
  }
  /** Resolves when nothing is waiting. */
  async idle() {
    await this.#running;
    await this.#context.upkeep.idle();
  }
  async #run() {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, LARGEST_GROUP);
      try {
        const outcomes = await this.#commit(group);
        for (const [index, waiting] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome !== void 0) waiting.resolve(outcome);
        }
      } catch (error) {
        if (group.length === 1) group[0]?.reject(error);
        else await this.#oneByOne(group);
      }
    }
    this.#running = void 0;
  }
  /** One append of a group failed and took the others with it: each gets a transaction of its own. */
  async #oneByOne(group) {
    for (const waiting of group) {
      try {
        const [outcome] = await this.#commit([waiting]);
        if (outcome !== void 0) waiting.resolve(outcome);
      } catch (error) {
        waiting.reject(error);
      }
    }
  }
  async #commit(group) {
    const { database, labels: cache2, upkeep } = this.#context;
    for (let attempt = 1; ; attempt += 1) {
      const prepared = await Promise.all(group.map(({ session, writes }) => prepareContent({ session, writes, runs: [] }, database, nothingPending)));
      try {
        const [outcomes, labels, workspaces] = await database.transaction({ durability: "synced" }, async (transaction) => {
          const made = new Labels(transaction, cache2);
          const results = [];
          const written = /* @__PURE__ */ new Set();
          for (const [index, waiting] of group.entries()) {
            const content = prepared[index];
            if (content !== void 0) results.push(await this.#write(transaction, made, waiting, content, written));
          }
          return [results, made, written];
        });
        labels.remember();
        void upkeep.tend(workspaces);
        return outcomes;
      } catch (error) {
        if (!(error instanceof BlockGone) || attempt === 3) throw error;
      }
    }
  }
  async #write(transaction, labels, waiting, content, workspaces) {
    const lock = rowLock(this.#context);
    const known2 = await findSession(transaction, waiting.session.id, lock);
    const row = known2 ?? (waiting.expectedSeq === 0 ? await openSession(transaction, labels, waiting.session, lock) : void 0);
    const actualSeq = row?.next_seq ?? 0;
    if (row === void 0 || actualSeq !== waiting.expectedSeq) return err({ code: "sequence-conflict", expectedSeq: waiting.expectedSeq, actualSeq });
    if (row.isNew) await transaction.run('DELETE FROM deleted_session WHERE "key" = ?', [storableText(waiting.session.id)]);
    const written = await writeSession(transaction, labels, row, content);
    if (written.newMessages > 0) workspaces.add(written.workspaceId);
    if (written.fresh.includes(false)) {
      throw new CairnError("invalid-input", `An entry with the same id is in the session ${waiting.session.id} already; nothing was written.`);
    }
    await mergeRequests(transaction, this.#context.database.dialect, labels, written.reports);
    return ok({ nextSeq: row.next_seq + written.fresh.length });
  }
};

// src/repository/checkpoints.ts
var recordOf = (row) => ({ ...row, at: Number(row.at), bytes: Number(row.bytes) });
var PrismaCheckpointStorage = class {
  #client;
  constructor(client) {
    this.#client = client;
  }
  async add(checkpoint) {
    const client = await this.#client.get();
    const { workspace, at, bytes } = checkpoint;
    await client.checkpoint.create({ data: { ...checkpoint, workspace: storableText(workspace), at: BigInt(at), bytes: BigInt(bytes) } });
  }
  async get(id) {
    const row = await (await this.#client.get()).checkpoint.findUnique({ where: { id } });
    return row === null ? void 0 : recordOf(row);
  }
  async list(workspace) {
    const client = await this.#client.get();
    const rows = await client.checkpoint.findMany({ where: { workspace: storableText(workspace) }, orderBy: [{ at: "desc" }, { id: "desc" }] });
    return rows.map(recordOf);
  }
  async delete(id) {
    const { count } = await (await this.#client.get()).checkpoint.deleteMany({ where: { id } });
    return count > 0;
  }
};

// src/repository/imports.ts
init_schema();

// src/repository/known-lines.ts
var encoder4 = new TextEncoder();
var lineKey = (session, line) => `${line}:${session}`;
var withoutKnownLines = async (context, path3, runs) => {
  const first = Math.min(...runs.map((run) => run.firstLine));
  const last = Math.max(...runs.map((run) => run.firstLine + run.lines.length - 1));
  const known2 = await overlapping(context, path3, first, last);
  if (known2.length === 0) return runs;
  const contents = await context.packs.read(known2.map((row) => ({ packId: row.pack_id, offset: row.offset, length: row.length })));
  const stored = /* @__PURE__ */ new Map();
  for (const [index, row] of known2.entries()) {
    const content = contents[index];
    if (content === void 0) continue;
    for (const [place, bytes] of decodeLines(content.bytes, content.text).entries()) {
      const key = lineKey(row.session, row.first_line + place);
      stored.set(key, [...stored.get(key) ?? [], bytes]);
    }
  }
  return runs.flatMap((run) => {
    const kept = [];
    for (const [place, line] of run.lines.entries()) {
      const number2 = run.firstLine + place;
      const bytes = typeof line === "string" ? encoder4.encode(line) : line;
      if (stored.get(lineKey(storableText(run.sessionId), number2))?.some((other) => Buffer.compare(other, bytes) === 0) === true) continue;
      const open2 = kept.at(-1);
      if (open2 !== void 0 && open2.firstLine + open2.lines.length === number2) open2.lines.push(line);
      else kept.push({ firstLine: number2, lines: [line] });
    }
    return kept.map((part) => ({ ...part, sessionId: run.sessionId }));
  });
};
var overlapping = async ({ database }, path3, first, last) => {
  const latest = await database.all(
    `SELECT imported_file.id, source_run.first_line + source_run.line_count AS "end" FROM imported_file JOIN source_run ON source_run.file_id = imported_file.id
     WHERE imported_file."path" = ? ORDER BY source_run.first_line DESC LIMIT 1`,
    [storableText(path3)]
  );
  const [file] = latest;
  if (file === void 0 || file.end <= first) return [];
  return database.all(
    `SELECT session."key" AS session, source_run.first_line, source_run.pack_id, source_run."offset", source_run.length
     FROM source_run JOIN session ON session.id = source_run.session_id
     WHERE source_run.file_id = ? AND source_run.first_line <= ? AND source_run.first_line + source_run.line_count > ?`,
    [file.id, last, first]
  );
};

// src/repository/imports.ts
var FILE_COLUMNS = '"path", agent, version, identity, size, modified_at, "offset", line, fingerprint, parser_state';
var decoder3 = new TextDecoder();
var encoder5 = new TextEncoder();
var PrismaImportStorage = class {
  #context;
  constructor(context) {
    this.#context = context;
  }
  async files() {
    return (await this.#context.database.all(`SELECT ${FILE_COLUMNS} FROM imported_file`)).map(fileOf);
  }
  async file(path3) {
    const rows = await this.#context.database.all(`SELECT ${FILE_COLUMNS} FROM imported_file WHERE "path" = ?`, [storableText(path3)]);
    return rows[0] === void 0 ? void 0 : fileOf(rows[0]);
  }
  prepare(batch) {
    const { pending } = this.#context;
    const source = batch.source.map((run) => ({ ...run, lines: run.lines.map((line) => typeof line === "string" ? line : new Uint8Array(line)) }));
    const gathering = withoutKnownLines(this.#context, batch.path, source).then((runs) => contentsOf({ ...batch, source: runs }));
    const announced = [];
    const shared = {
      has: (key) => pending.has(key),
      saidIn: (key) => pending.get(key)?.saidIn,
      add: (key, saidIn) => {
        const known2 = pending.get(key);
        pending.set(key, { writes: (known2?.writes ?? 0) + 1, saidIn: known2?.saidIn ?? saidIn });
        announced.push(key);
      }
    };
    const preparing = gathering.then((contents) => Promise.all(contents.map((content) => prepareContent(content, this.#context.database, shared))));
    preparing.catch(() => void 0);
    const withdraw = () => {
      for (const key of announced.splice(0)) {
        const known2 = pending.get(key);
        if (known2 === void 0 || known2.writes === 1) pending.delete(key);
        else pending.set(key, { ...known2, writes: known2.writes - 1 });
      }
    };
    return {
      commit: async () => {
        try {
          const prepared = await preparing;
          try {
            return await this.#commit(batch, prepared);
          } catch (error) {
            if (!(error instanceof BlockGone)) throw error;
            return await this.#commit(batch, await Promise.all((await gathering).map((content) => prepareContent(content, this.#context.database, nothingPending))));
          }
        } finally {
          withdraw();
        }
      }
    };
  }
  async skips() {
    const rows = await this.#context.database.all(
      'SELECT "path", line, reason, count FROM import_skip ORDER BY "path", line, id'
    );
    return rows.map(({ path: path3, line, reason, count }) => ({ file: path3, ...line === null ? {} : { line }, reason, count }));
  }
  async #commit(batch, contents) {
    const { database, labels: cache2, upkeep } = this.#context;
    const result = await database.transaction({ durability: "lazy" }, async (transaction) => {
      const fileId = await claimFile(transaction, batch, rowLock(this.#context));
      if (fileId === void 0) return void 0;
      const labels = new Labels(transaction, cache2);
      const counts = { newSessions: 0, newMessages: 0, newRequests: 0 };
      const reports = [];
      const runs = [];
      const workspaces = /* @__PURE__ */ new Set();
      for (const content of contents) {
        if (await wasDeleted(transaction, content.session.id)) continue;
        const row = await openSession(transaction, labels, content.session, rowLock(this.#context));
        const written = await writeSession(transaction, labels, row, content);
        if (written.newMessages > 0) workspaces.add(written.workspaceId);
        counts.newSessions += row.isNew ? 1 : 0;
        counts.newMessages += written.newMessages;
        reports.push(...written.reports);
        for (const [index, run] of content.runs.entries()) {
          const place = content.pack?.places[content.writes.length + index];
          const bytes = run.lines.reduce((sum, line) => sum + (typeof line === "string" ? Buffer.byteLength(line) : line.byteLength), 0);
          runs.push([fileId, row.id, run.firstLine, run.lines.length, written.packId ?? 0, place?.offset ?? 0, place?.length ?? 0, bytes]);
        }
      }
      counts.newRequests = await mergeRequests(transaction, database.dialect, labels, reports);
      await transaction.insert(tables.sourceRun, ["file_id", "session_id", "first_line", "line_count", "pack_id", "offset", "length", "bytes"], runs);
      await writeSkips(transaction, batch);
      return { counts, labels, workspaces };
    });
    result?.labels.remember();
    if (result !== void 0) await upkeep.tend(result.workspaces);
    return result?.counts;
  }
};
var contentsOf = (batch) => {
  const byId = /* @__PURE__ */ new Map();
  for (const { session, writes } of batch.sessions) {
    const known2 = byId.get(session.id);
    if (known2 === void 0) byId.set(session.id, { session, writes: [...writes], runs: [] });
    else {
      known2.session = { ...known2.session, ...session };
      known2.writes.push(...writes);
    }
  }
  for (const run of batch.source) byId.get(run.sessionId)?.runs.push(run);
  return [...byId.values()];
};
var claimFile = async (transaction, batch, lock) => {
  const path3 = storableText(batch.path);
  const { cursor } = batch;
  const state = encoder5.encode(JSON.stringify(cursor.parserState));
  if (batch.baseVersion === 0) {
    const made = await transaction.insert(
      tables.importedFile,
      ["path", "agent", "version", "identity", "size", "modified_at", "offset", "line", "fingerprint", "parser_state"],
      [[path3, batch.agent, 1, cursor.identity, cursor.size, cursor.modifiedAt, cursor.offset, cursor.line, cursor.fingerprint, state]],
      'ON CONFLICT ("path") DO NOTHING'
    );
    if (made === 0) return void 0;
  } else {
    const known2 = await transaction.all(`SELECT version FROM imported_file WHERE "path" = ?${lock}`, [path3]);
    if (known2[0]?.version !== batch.baseVersion) return void 0;
    await transaction.run(
      'UPDATE imported_file SET version = version + 1, identity = ?, size = ?, modified_at = ?, "offset" = ?, line = ?, fingerprint = ?, parser_state = ? WHERE "path" = ?',
      [cursor.identity, cursor.size, cursor.modifiedAt, cursor.offset, cursor.line, cursor.fingerprint, state, path3]
    );
  }
  return (await transaction.all('SELECT id FROM imported_file WHERE "path" = ?', [path3]))[0]?.id;
};
var writeSkips = async (transaction, batch) => {
  if (batch.restarted || batch.baseVersion === 0) await transaction.run('DELETE FROM import_skip WHERE "path" = ?', [storableText(batch.path)]);
  await transaction.insert(
    tables.importSkip,
    ["path", "line", "reason", "count"],
    batch.skips.map((skip) => [storableText(skip.file), skip.line ?? null, storableText(skip.reason), skip.count])
  );
};
var fileOf = (row) => {
  const cursor = {
    identity: row.identity,
    size: row.size,
    modifiedAt: row.modified_at,
    offset: row.offset,
    line: row.line,
    fingerprint: row.fingerprint,
    parserState: JSON.parse(decoder3.decode(row.parser_state))
  };
  return { path: row.path, agent: row.agent, version: row.version, cursor };
};

// src/repository/maintenance.ts
init_schema();
var FACTS_PER_STEP = 2e4;
var CONTENT_TABLES = ["entry", "pack", "block", "block_use", "usage_fact", ...rollupTables.map(({ name }) => name), "source_run", "import_skip", "imported_file", "session", "deleted_session", "workspace", "label", "state", "note_version", "memory_version", "checkpoint"];
var statistics = async ({ database }) => {
  const rows = await database.all(`SELECT
    (SELECT count(*) FROM session) AS sessions,
    (SELECT count(*) FROM entry) AS entries,
    (SELECT count(*) FROM usage_fact) AS requests,
    (SELECT count(*) FROM imported_file) AS "importedFiles",
    (SELECT COALESCE(sum(bytes), 0) FROM source_run) AS "sourceBytes",
    (SELECT count(*) FROM block) AS blocks,
    (SELECT COALESCE(sum(length(data)), 0) FROM pack) AS "packedBytes"`);
  const [row] = rows;
  const none = { sessions: 0, entries: 0, requests: 0, importedFiles: 0, sourceBytes: 0, blocks: 0, packedBytes: 0 };
  return { location: database.location, ...row ?? none, totalBytes: await database.totalBytes() };
};
var checks = [
  {
    check: "log",
    detail: "sessions whose log has a gap or another length than the session says",
    sql: "SELECT count(*) AS count FROM session WHERE next_seq <> (SELECT count(*) FROM entry WHERE entry.session_id = session.id) OR next_seq <> COALESCE((SELECT max(seq) + 1 FROM entry WHERE entry.session_id = session.id), 0)"
  },
  { check: "log", detail: "entries of sessions that are not there", sql: "SELECT count(*) AS count FROM entry WHERE session_id NOT IN (SELECT id FROM session)" },
  { check: "content", detail: "entries whose content is missing", sql: "SELECT count(*) AS count FROM entry WHERE body IS NULL AND (pack_id IS NULL OR pack_id NOT IN (SELECT id FROM pack))" },
  { check: "content", detail: "blocks whose content is missing", sql: "SELECT count(*) AS count FROM block WHERE pack_id NOT IN (SELECT id FROM pack)" },
  { check: "content", detail: "source lines whose content is missing", sql: "SELECT count(*) AS count FROM source_run WHERE pack_id NOT IN (SELECT id FROM pack)" },
  { check: "usage", detail: "requests of sessions that are not there", sql: "SELECT count(*) AS count FROM usage_fact WHERE session_id NOT IN (SELECT id FROM session)" },
  ...rollupTables.map(({ name, times }) => ({
    check: "usage",
    detail: `whether requests, output tokens or cost of the rollup ${name} differ from the facts`,
    sql: `SELECT CASE WHEN facts.requests * ${times} = rollup.requests AND facts.output * ${times} = rollup.output AND facts.cost * ${times} = rollup.cost THEN 0 ELSE 1 END AS count
      FROM (SELECT count(*) AS requests, COALESCE(sum(output_tokens), 0) AS output, COALESCE(sum(cost_nano), 0) AS cost FROM usage_fact) AS facts,
        (SELECT COALESCE(sum(requests), 0) AS requests, COALESCE(sum(output_tokens), 0) AS output, COALESCE(sum(cost_nano), 0) AS cost FROM ${name}) AS rollup`
  })),
  {
    check: "usage",
    detail: "sessions whose number of requests or cost is not that of their requests",
    sql: `SELECT count(*) AS count FROM session LEFT JOIN
      (SELECT session_id, count(*) AS requests, sum(COALESCE(cost_nano, 0)) AS cost FROM usage_fact GROUP BY session_id) AS facts ON facts.session_id = session.id
      WHERE session.requests <> COALESCE(facts.requests, 0) OR session.cost_nano <> COALESCE(facts.cost, 0)`
  },
  {
    check: "usage",
    detail: "sums of a session that differ between facts and rollups",
    sql: `SELECT count(*) AS count FROM
      (SELECT session_id, sum(output_tokens) AS output, sum(input_tokens) AS input, sum(COALESCE(cost_nano, 0)) AS cost FROM usage_fact GROUP BY session_id) AS facts
      LEFT JOIN (SELECT session_id, sum(output_tokens) AS output, sum(input_tokens) AS input, sum(cost_nano) AS cost FROM usage_day GROUP BY session_id) AS days ON days.session_id = facts.session_id
      WHERE days.session_id IS NULL OR days.output <> facts.output OR days.input <> facts.input OR days.cost <> facts.cost`
  }
];
var verify = async (context, sessions) => {
  const { database } = context;
  const faults = (await database.integrityFaults()).map((detail) => ({ check: "database", detail, count: 1 }));
  for (const { check, detail, sql: sql3 } of checks) {
    const count = (await database.all(sql3))[0]?.count ?? 0;
    if (count > 0) faults.push({ check, detail, count });
  }
  const messages = (await database.all("SELECT count(*) AS count FROM entry WHERE kind = 1"))[0]?.count ?? 0;
  const indexed = await countIndexed(database);
  if (messages !== indexed) faults.push({ check: "search", detail: "messages that the search index lacks or has too many", count: Math.abs(messages - indexed) });
  for (const { key } of await database.all('SELECT "key" FROM session ORDER BY id')) {
    try {
      await sessions.read(key);
    } catch (error) {
      faults.push({ check: "content", detail: `${key}: ${error instanceof Error ? error.message : String(error)}`, count: 1 });
    }
  }
  return faults;
};
var rebuild = async (context, fill) => {
  await context.database.transaction({ durability: "synced" }, async (transaction) => {
    for (const { name } of rollupTables) await transaction.run(`DELETE FROM ${name}`);
    await transaction.run("UPDATE session SET requests = 0, cost_nano = 0, unpriced = 0");
    await addAllFacts(context, transaction);
    await clearIndex(transaction);
    await transaction.run("INSERT INTO search_pending (session_id, from_seq, until_seq) SELECT id, 0, next_seq FROM session WHERE next_seq > 0");
  });
  await fill();
};
var addAllFacts = async (context, transaction) => {
  for (let after = 0; ; ) {
    const facts = await transaction.all(`SELECT ${quoted(factColumns)} FROM usage_fact WHERE id > ? ORDER BY id LIMIT ?`, [after, FACTS_PER_STEP]);
    const last = facts.at(-1);
    if (last === void 0) return;
    await addToRollups(transaction, context.database.dialect, facts.map(rollupRowOf));
    after = last.id;
  }
};
var purge = async (context) => {
  await context.database.transaction({ durability: "synced" }, async (transaction) => {
    await clearIndex(transaction);
    for (const table of CONTENT_TABLES) await transaction.run(`DELETE FROM ${table}`);
  });
  context.labels.ids.clear();
  context.packs.clear();
  await context.database.compact();
};

// src/repository/memory.ts
init_schema();

// src/repository/group-commit.ts
var LARGEST_GROUP2 = 64;
var GroupCommit = class {
  #commit;
  #waiting = [];
  #running;
  /** `commit` writes a group in one transaction, in its order, and resolves with an outcome for each when they are on disk. */
  constructor(commit) {
    this.#commit = commit;
  }
  add(item) {
    return new Promise((resolve2, reject) => {
      this.#waiting.push({ item, resolve: resolve2, reject });
      this.#running ??= this.#run();
    });
  }
  /** Resolves when nothing is waiting. */
  async idle() {
    await this.#running;
  }
  async #run() {
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, LARGEST_GROUP2));
    this.#running = void 0;
  }
  async #write(group) {
    try {
      const outcomes = await this.#commit(group.map(({ item }) => item));
      for (const [index, { resolve: resolve2, reject }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome === void 0) reject(new TypeError("a write of the group has no outcome"));
        else resolve2(outcome);
      }
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const waiting of group) await this.#write([waiting]);
    }
  }
};

// src/repository/memory-rows.ts
init_src();
init_schema();
import { createHash } from "node:crypto";
var VERSION_COLUMNS = [
  "entry_id",
  "workspace",
  "kind",
  "text",
  "confidence",
  "examples",
  "session_id",
  "message_id",
  "commit",
  "source",
  "first_seen_at",
  "last_confirmed_at",
  "applications",
  "confirmations",
  "contradictions",
  "valid_from",
  "words"
];
var ROW_COLUMNS = quoted(Object.keys(tables.memoryVersion.columns).filter((column) => column !== "id" && column !== "words"));
var wordsKey = (text) => createHash("sha256").update(JSON.stringify(sameWords(text))).digest("hex").slice(0, 32);
var encodedOrNull = (text) => text === null ? null : encodedText(text);
var decodedOrNull = (stored) => stored === null ? null : decodedText(stored);
var rowValues = (entry, validFrom) => [
  entry.id,
  encodedText(entry.workspace),
  entry.kind,
  encodedText(entry.text),
  entry.confidence,
  JSON.stringify(entry.examples),
  encodedOrNull(entry.sessionId),
  encodedOrNull(entry.messageId),
  encodedOrNull(entry.commit),
  encodedText(entry.source),
  entry.firstSeenAt,
  entry.lastConfirmedAt,
  entry.applications,
  entry.confirmations,
  entry.contradictions,
  validFrom,
  wordsKey(entry.text)
];
var entryOf2 = (row) => ({
  id: row.entry_id,
  workspace: decodedText(row.workspace),
  kind: row.kind,
  text: decodedText(row.text),
  confidence: row.confidence,
  examples: JSON.parse(row.examples),
  sessionId: decodedOrNull(row.session_id),
  messageId: decodedOrNull(row.message_id),
  commit: decodedOrNull(row.commit),
  source: decodedText(row.source),
  firstSeenAt: row.first_seen_at,
  lastConfirmedAt: row.last_confirmed_at,
  applications: row.applications,
  confirmations: row.confirmations,
  contradictions: row.contradictions
});
var versionOf = (row) => ({
  entry: entryOf2(row),
  validFrom: row.valid_from,
  validTo: row.valid_to,
  ended: row.ended,
  replacedBy: row.replaced_by
});
var ID = /^[\x21-\x7e]{1,100}$/;
var assertWritable = (entry, workspace) => {
  if (!ID.test(entry.id)) throw new CairnError("invalid-input", "The id of a memory entry has 1 to 100 visible ASCII characters; nothing was written.");
  if (entry.workspace !== workspace) throw otherWorkspace(entry.id);
};
var otherWorkspace = (id) => new CairnError("invalid-input", `The memory entry ${id} belongs to another workspace; nothing was written.`);

// src/repository/memory.ts
var byText = (left, right) => left < right ? -1 : left > right ? 1 : 0;
var newestFirst = (left, right) => right.lastConfirmedAt - left.lastConfirmedAt || byText(right.id, left.id);
var PrismaMemoryStorage = class {
  #database;
  #changes;
  constructor(database) {
    this.#database = database;
    this.#changes = new GroupCommit((group) => this.#commit(group));
  }
  async change(workspace, at, decide, reading) {
    const outcome = await this.#changes.add({ workspace, at, decide, reading });
    if (!outcome.ok) throw outcome.error;
    return outcome.value;
  }
  async get(id, asOf) {
    if (storableText(id) !== id) return void 0;
    const begun = asOf === void 0 ? "" : "AND valid_from <= ?";
    const [row] = await this.#database.all(
      `SELECT ${ROW_COLUMNS} FROM memory_version WHERE entry_id = ? ${begun} ORDER BY valid_from DESC, id DESC LIMIT 1`,
      asOf === void 0 ? [id] : [id, Math.floor(asOf)]
    );
    const isCurrent = row !== void 0 && (row.valid_to === null || asOf !== void 0 && row.valid_to > asOf);
    return isCurrent ? entryOf2(row) : void 0;
  }
  async list(workspace, options = {}) {
    const { kind, asOf } = options;
    const conditions = ["workspace = ?"];
    const parameters = [encodedText(workspace)];
    if (asOf === void 0) conditions.push("valid_to IS NULL");
    else {
      conditions.push("valid_from <= ?", "(valid_to IS NULL OR valid_to > ?)");
      parameters.push(Math.floor(asOf), Math.floor(asOf));
    }
    if (kind !== void 0) {
      conditions.push("kind = ?");
      parameters.push(kind);
    }
    const rows = await this.#database.all(`SELECT ${ROW_COLUMNS} FROM memory_version WHERE ${conditions.join(" AND ")}`, parameters);
    return rows.map(entryOf2).sort(newestFirst);
  }
  async history(id) {
    if (storableText(id) !== id) return [];
    const rows = await this.#database.all(`SELECT ${ROW_COLUMNS} FROM memory_version WHERE entry_id = ? ORDER BY valid_from, id`, [id]);
    return rows.map(versionOf);
  }
  async resolve(prefix, limit) {
    if (!/^[\x21-\x7e]{0,100}$/.test(prefix)) return [];
    const [begins, parameters] = this.#database.dialect === "sqlite" ? ["entry_id >= ? AND entry_id < ?", [prefix, `${prefix}\x7F`]] : ["starts_with(entry_id, ?)", [prefix]];
    const rows = await this.#database.all(
      `SELECT entry_id AS id, MAX(workspace) AS workspace, MAX(CASE WHEN valid_to IS NULL THEN 1 ELSE 0 END) AS is_current
       FROM memory_version WHERE ${begins} GROUP BY entry_id`,
      parameters
    );
    return rows.map((row) => ({ id: row.id, workspace: decodedText(row.workspace), current: row.is_current === 1 })).sort((left, right) => byText(left.id, right.id)).slice(0, limit);
  }
  async workspaces() {
    const rows = await this.#database.all(
      "SELECT workspace, SUM(CASE WHEN valid_to IS NULL THEN 1 ELSE 0 END) AS entries FROM memory_version GROUP BY workspace"
    );
    return rows.map((row) => ({ workspace: decodedText(row.workspace), entries: row.entries })).sort((left, right) => byText(left.workspace, right.workspace));
  }
  /** Resolves when no change is under way. */
  idle() {
    return this.#changes.idle();
  }
  #commit(group) {
    return this.#database.transaction({ durability: "synced" }, async (transaction) => {
      await this.#lock(transaction, group);
      const outcomes = [];
      for (const change of group) {
        const current = await readFor(transaction, change);
        const decided = decisionOf(change, current);
        if (!decided.ok) outcomes.push(decided);
        else {
          await apply2(transaction, change, decided.value.writes);
          outcomes.push({ ok: true, value: decided.value.result });
        }
      }
      return outcomes;
    });
  }
  async #lock(transaction, group) {
    if (this.#database.dialect !== "postgresql") return;
    const names2 = [...new Set(group.map(({ workspace }) => `memory:${encodedText(workspace)}`))].sort(byText);
    for (const name of names2) await transaction.all("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name]);
  }
};
var decisionOf = (change, current) => {
  try {
    const value = change.decide(current);
    for (const write of value.writes) if (write.op === "put") assertWritable(write.entry, change.workspace);
    return { ok: true, value };
  } catch (error) {
    return { ok: false, error };
  }
};
var readFor = async (transaction, { workspace, reading }) => {
  const stored = encodedText(workspace);
  const current = `SELECT ${ROW_COLUMNS} FROM memory_version WHERE`;
  if (reading === void 0) return (await transaction.all(`${current} workspace = ? AND valid_to IS NULL`, [stored])).map(entryOf2).sort(newestFirst);
  const found = /* @__PURE__ */ new Map();
  const take = (rows) => {
    for (const row of rows) if (row.workspace === stored) found.set(row.entry_id, entryOf2(row));
  };
  for (const key of new Set((reading.saying ?? []).map(wordsKey))) take(await transaction.all(`${current} words = ? AND valid_to IS NULL`, [key]));
  for (const id of new Set(reading.ids)) if (storableText(id) === id) take(await transaction.all(`${current} entry_id = ? AND valid_to IS NULL`, [id]));
  return [...found.values()].sort(newestFirst);
};
var apply2 = async (transaction, { workspace, at }, writes) => {
  const stored = encodedText(workspace);
  for (const write of writes) {
    const id = write.op === "put" ? write.entry.id : write.id;
    if (storableText(id) !== id) continue;
    const [last] = await transaction.all("SELECT id, workspace, valid_from, valid_to FROM memory_version WHERE entry_id = ? ORDER BY valid_from DESC, id DESC LIMIT 1", [id]);
    if (write.op === "put") {
      if (last !== void 0 && last.workspace !== stored) throw otherWorkspace(id);
      const validFrom = await end(transaction, last, at, "updated", null);
      await transaction.insert(tables.memoryVersion, VERSION_COLUMNS, [rowValues(write.entry, validFrom)]);
    } else if (last?.workspace === stored && last.valid_to === null) await end(transaction, last, at, write.reason, write.replacedBy ?? null);
  }
};
var end = async (transaction, last, at, reason, replacedBy) => {
  if (last === void 0) return at;
  if (last.valid_to !== null) return Math.max(at, last.valid_to);
  const endAt = Math.max(at, last.valid_from);
  await transaction.run("UPDATE memory_version SET valid_to = ?, ended = ?, replaced_by = ? WHERE id = ?", [endAt, reason, replacedBy, last.id]);
  return endAt;
};

// src/repository/notes.ts
init_src();
init_schema();
var COLUMNS = 'workspace, "key", text, session_id, created_at, valid_from, valid_to';
var LONGEST_KEY_BYTES = 2048;
var noteOf = (row) => ({
  workspace: decodedText(row.workspace),
  key: decodedText(row.key),
  text: decodedText(row.text),
  sessionId: row.session_id === null ? null : decodedText(row.session_id),
  createdAt: row.created_at,
  updatedAt: row.valid_from
});
var byText2 = (left, right) => left < right ? -1 : left > right ? 1 : 0;
var PrismaNoteStorage = class {
  #database;
  #changes;
  constructor(database) {
    this.#database = database;
    this.#changes = new GroupCommit((group) => this.#commit(group));
  }
  async set(note) {
    if (note.key === "") throw new CairnError("invalid-input", "A note needs a key: give it a short name.");
    const key = encodedText(note.key);
    if (Buffer.byteLength(key) > LONGEST_KEY_BYTES) throw new CairnError("invalid-input", `The note's key is too long (${Buffer.byteLength(key)} bytes; the most are ${LONGEST_KEY_BYTES}); nothing was written. Give it a short name.`);
    const content = { text: encodedText(note.text), sessionId: note.sessionId === void 0 ? null : encodedText(note.sessionId) };
    await this.#changes.add({ workspace: encodedText(note.workspace), key, at: note.at, content });
  }
  async get(workspace, key, asOf) {
    const begun = asOf === void 0 ? "" : "AND valid_from <= ?";
    const [row] = await this.#database.all(`SELECT ${COLUMNS} FROM note_version WHERE workspace = ? AND "key" = ? ${begun} ORDER BY valid_from DESC, id DESC LIMIT 1`, [
      encodedText(workspace),
      encodedText(key),
      ...asOf === void 0 ? [] : [Math.floor(asOf)]
    ]);
    const isCurrent = row !== void 0 && (row.valid_to === null || asOf !== void 0 && row.valid_to > asOf);
    return isCurrent ? noteOf(row) : void 0;
  }
  async list(workspace, asOf) {
    const current = asOf === void 0 ? "valid_to IS NULL" : "valid_from <= ? AND (valid_to IS NULL OR valid_to > ?)";
    const times = asOf === void 0 ? [] : [Math.floor(asOf), Math.floor(asOf)];
    const rows = await this.#database.all(`SELECT ${COLUMNS} FROM note_version WHERE workspace = ? AND ${current}`, [encodedText(workspace), ...times]);
    return rows.map(noteOf).sort((left, right) => byText2(left.key, right.key));
  }
  delete(workspace, key, at) {
    return this.#changes.add({ workspace: encodedText(workspace), key: encodedText(key), at, content: void 0 });
  }
  async workspaces() {
    const rows = await this.#database.all("SELECT DISTINCT workspace FROM note_version WHERE valid_to IS NULL");
    return rows.map((row) => decodedText(row.workspace)).sort(byText2);
  }
  /** Resolves when no change is under way. */
  idle() {
    return this.#changes.idle();
  }
  #commit(group) {
    return this.#database.transaction({ durability: "synced" }, async (transaction) => {
      if (this.#database.dialect === "postgresql") {
        const names2 = [...new Set(group.map(({ workspace }) => `notes:${workspace}`))].sort(byText2);
        for (const name of names2) await transaction.all("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name]);
      }
      const outcomes = [];
      for (const change of group) outcomes.push(await apply3(transaction, change));
      return outcomes;
    });
  }
};
var apply3 = async (transaction, { workspace, key, at, content }) => {
  const [last] = await transaction.all(`SELECT id, ${COLUMNS} FROM note_version WHERE workspace = ? AND "key" = ? ORDER BY valid_from DESC, id DESC LIMIT 1`, [
    workspace,
    key
  ]);
  const from = Math.max(at, last?.valid_to ?? last?.valid_from ?? at);
  const isCurrent = last?.valid_to === null;
  if (isCurrent) await transaction.run("UPDATE note_version SET valid_to = ? WHERE id = ?", [from, last.id]);
  if (content !== void 0) {
    const columns = ["workspace", "key", "text", "session_id", "created_at", "valid_from"];
    await transaction.insert(tables.noteVersion, columns, [[workspace, key, content.text, content.sessionId, isCurrent ? last.created_at : from, from]]);
  }
  return isCurrent;
};

// src/repository/repricing.ts
init_schema();
var UNPRICED2 = 2;
var COMPUTED = 1;
var FACTS_PER_STEP2 = 5e3;
var reprice = async ({ database }, prices) => {
  let priced = 0;
  for (let after = 0; ; ) {
    const from = after;
    const step2 = await database.transaction({ durability: "synced" }, async (transaction) => {
      const facts = await transaction.all(
        `SELECT ${quoted(factColumns).replaceAll('"id"', 'usage_fact."id"')}, model.value AS model, provider.value AS provider
         FROM usage_fact LEFT JOIN label AS model ON model.id = model_id LEFT JOIN label AS provider ON provider.id = provider_id
         WHERE cost_state = ${UNPRICED2} AND usage_fact.id > ? ORDER BY usage_fact.id LIMIT ?`,
        [from, FACTS_PER_STEP2]
      );
      const changes = facts.flatMap((fact) => {
        const next = pricedFact(fact, prices);
        return next === void 0 ? [] : [{ fact, next }];
      });
      for (const { next } of changes) {
        await transaction.run("UPDATE usage_fact SET cost_nano = ?, cost_state = ?, cost_cache_read = ?, cost_cache_write = ?, cost_output = ?, saved_nano = ? WHERE id = ?", [
          next.cost_nano,
          next.cost_state,
          next.cost_cache_read,
          next.cost_cache_write,
          next.cost_output,
          next.saved_nano,
          next.id
        ]);
      }
      await addToRollups(transaction, database.dialect, changes.map(({ next }) => rollupRowOf(next)), changes.map(({ fact }) => rollupRowOf(fact)));
      return { last: facts.at(-1)?.id, priced: changes.length };
    });
    priced += step2.priced;
    if (step2.last === void 0) return priced;
    after = step2.last;
  }
};
var pricedFact = (fact, prices) => {
  if (fact.model === null) return void 0;
  const query = { model: fact.model, provider: fact.provider ?? void 0, at: fact.at ?? Date.now() };
  const usage = {
    inputTokens: fact.input_tokens,
    cacheReadTokens: fact.cache_read,
    cacheWrite5mTokens: fact.cache_write_5m,
    cacheWrite1hTokens: fact.cache_write_1h,
    outputTokens: fact.output_tokens,
    reasoningTokens: fact.reasoning_tokens
  };
  const cost = prices.cost(query, usage);
  if (cost === void 0) return void 0;
  const split = prices.split(query, usage);
  return {
    ...fact,
    cost_nano: cost,
    cost_state: COMPUTED,
    cost_cache_read: split?.cacheReadNano ?? 0n,
    cost_cache_write: split?.cacheWriteNano ?? 0n,
    cost_output: split?.outputNano ?? 0n,
    saved_nano: split?.savedNano ?? 0n
  };
};

// src/repository/deletion.ts
init_schema();
init_schema();

// src/search/removal.ts
init_src();
init_schema();

// src/search/upkeep.ts
init_src();
init_schema();
var INDEX_SIZES = { tailMessages: 256, tailBytes: 512 * 1024, merge: 4, largestBytes: 8 * 1024 * 1024 };
var GATHER_MESSAGES = 4096;
var GATHER_BYTES = 4 * 1024 * 1024;
var LONGEST_MERGE = 16;
var pause2 = () => new Promise((resolve2) => setImmediate(resolve2));
var readSegments = async (reader, ids) => {
  const heads = await reader.lookup(tables.searchSegment, { columns: ["id", "head"], key: "id", uncached: true }, ids);
  const byId = new Map(heads.map(({ id, head }) => [id, decodeHead(head)]));
  const whole = [];
  for (const id of ids) {
    const segment = byId.get(id);
    if (segment === void 0) throw new IndexMoved();
    const postings = new Uint8Array(segment.postingBytes);
    const pages = Array.from({ length: Math.ceil(segment.postingBytes / segment.pageBytes) }, (_, number2) => firstPageOf(id) + number2);
    const rows = await reader.lookup(tables.searchPage, { columns: ["id", "data"], key: "id", uncached: true }, pages);
    if (rows.length !== pages.length) throw new IndexMoved();
    for (const { id: page, data } of rows) postings.set(data, (page - firstPageOf(id)) * segment.pageBytes);
    whole.push({ segment, postings });
  }
  return whole;
};
var mergeInSteps = async (segments, without) => {
  const steps = mergeSegments(segments, without);
  for (; ; ) {
    const step2 = steps.next();
    if (step2.done === true) return step2.value;
    await pause2();
  }
};
var IndexUpkeep = class {
  #database;
  #sizes;
  #waiting = /* @__PURE__ */ new Set();
  #running = Promise.resolve();
  constructor(database, sizes) {
    this.#database = database;
    this.#sizes = sizes;
  }
  /** To be called after messages of these workspaces were committed. Resolves when their index is in shape; never rejects. */
  tend(workspaces) {
    for (const workspace of workspaces) {
      if (this.#waiting.has(workspace)) continue;
      this.#waiting.add(workspace);
      this.#running = this.#running.then(async () => {
        this.#waiting.delete(workspace);
        try {
          await this.#gather(workspace);
        } catch {
        }
      });
    }
    return this.#running;
  }
  /** Resolves when nothing is under way. */
  async idle() {
    await this.#running;
  }
  async #gather(workspace) {
    const { tailMessages, tailBytes } = this.#sizes;
    for (; ; ) {
      const [size] = await this.#database.all("SELECT count(*) AS messages, sum(length(data)) AS bytes FROM search_tail WHERE workspace_id = ?", [workspace]);
      if (size === void 0 || size.messages === 0 || size.messages < tailMessages && (size.bytes ?? 0) < tailBytes) return;
      const rows = await this.#tail(workspace);
      const whole = buildSegment(rows.map(({ session_id: session, seq, data }) => ({ session, seq, ...decodeMessage(data) })));
      const isDone = await this.#replace(async (transaction) => {
        for (const { entry_id: id } of rows) if (await transaction.run("DELETE FROM search_tail WHERE entry_id = ?", [id]) !== 1) throw new IndexMoved();
        await addSegment(transaction, workspace, this.#levelOf(rows.length), whole);
      });
      if (!isDone) return;
      await this.#merge(workspace);
    }
  }
  async #tail(workspace) {
    const rows = await this.#database.all(
      "SELECT entry_id, session_id, seq, data FROM search_tail WHERE workspace_id = ? ORDER BY entry_id LIMIT ?",
      [workspace, GATHER_MESSAGES]
    );
    let bytes = 0;
    const end2 = rows.findIndex(({ data }) => (bytes += data.byteLength) > GATHER_BYTES);
    return end2 === -1 ? rows : rows.slice(0, Math.max(end2, 1));
  }
  /** A long tail makes a segment of the level that as many merges would have reached. */
  #levelOf(messages) {
    let level = 0;
    for (let size = this.#sizes.tailMessages * this.#sizes.merge; size <= messages; size *= this.#sizes.merge) level += 1;
    return level;
  }
  async #merge(workspace) {
    const { merge, largestBytes } = this.#sizes;
    for (let level = 0; ; level += 1) {
      const rows = await this.#database.all("SELECT id, level, bytes FROM search_segment WHERE workspace_id = ? AND level >= ? ORDER BY level, bytes, id", [workspace, level]);
      if (rows.length < merge) return;
      const chosen = [];
      let bytes = 0;
      for (const row of rows) {
        if (row.level !== level || bytes + row.bytes > largestBytes || chosen.length === LONGEST_MERGE) continue;
        chosen.push(row);
        bytes += row.bytes;
      }
      if (chosen.length < merge) continue;
      const ids = chosen.map(({ id }) => id);
      const isDone = await this.#replace(
        async (transaction, whole) => {
          await removeSegments(transaction, ids);
          await addSegment(transaction, workspace, level + 1, whole);
        },
        async () => mergeInSteps(await readSegments(this.#database, ids))
      );
      if (!isDone) return;
    }
  }
  /** False when another process was faster. */
  async #replace(write, make = () => Promise.resolve(void 0)) {
    try {
      const made = await make();
      await this.#database.transaction({ durability: "lazy" }, (transaction) => write(transaction, made));
      return true;
    } catch (error) {
      if (error instanceof IndexMoved) return false;
      throw error;
    }
  }
};

// src/search/removal.ts
var segmentsOf = (reader, sessionId) => reader.all("SELECT id, workspace_id, level FROM search_segment WHERE workspace_id = 0 OR workspace_id = (SELECT workspace_id FROM session WHERE id = ?)", [sessionId]);
var prepareRemoval = async (reader, sessionId) => {
  const rows = await segmentsOf(reader, sessionId);
  const replaced2 = [];
  for (const row of rows) {
    const [found] = await reader.lookup(tables.searchSegment, { columns: ["head"], key: "id" }, [row.id]);
    if (found === void 0) throw new IndexMoved();
    if (!decodeHead(found.head).runSession.includes(sessionId)) continue;
    replaced2.push({ row, rest: await mergeInSteps(await readSegments(reader, [row.id]), /* @__PURE__ */ new Set([sessionId])) });
  }
  return { sessionId, seen: new Set(rows.map(({ id }) => id)), replaced: replaced2 };
};
var removeFromIndex = async (transaction, { sessionId, seen, replaced: replaced2 }) => {
  await transaction.run("DELETE FROM search_tail WHERE session_id = ?", [sessionId]);
  await transaction.run("DELETE FROM search_pending WHERE session_id = ?", [sessionId]);
  if ((await segmentsOf(transaction, sessionId)).some(({ id }) => !seen.has(id))) throw new IndexMoved();
  for (const { row, rest } of replaced2) {
    await removeSegments(transaction, [row.id]);
    await addSegment(transaction, row.workspace_id, row.level, rest);
  }
};

// src/repository/deletion.ts
var ATTEMPTS2 = 20;
var deleteSession = async (context, sessionKey) => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [found] = await context.database.all('SELECT id FROM session WHERE "key" = ?', [storableText(sessionKey)]);
      if (found === void 0) return void 0;
      return await deleteWith(context, sessionKey, await prepareRemoval(context.database, found.id));
    } catch (error) {
      if (!(error instanceof IndexMoved) || attempt === ATTEMPTS2) throw error;
    }
  }
};
var deleteWith = async (context, sessionKey, removal) => {
  const report = await context.database.transaction({ durability: "synced" }, async (transaction) => {
    const found = await transaction.all(`SELECT id, next_seq FROM session WHERE "key" = ?${rowLock(context)}`, [storableText(sessionKey)]);
    const session = found[0];
    if (session === void 0) return void 0;
    const facts = await transaction.all(`SELECT ${quoted(factColumns)} FROM usage_fact WHERE session_id = ?`, [session.id]);
    await addToRollups(transaction, context.database.dialect, [], facts.map(rollupRowOf));
    await transaction.run("DELETE FROM usage_fact WHERE session_id = ?", [session.id]);
    if (session.id !== removal.sessionId) throw new IndexMoved();
    await removeFromIndex(transaction, removal);
    const entries = await transaction.run("DELETE FROM entry WHERE session_id = ?", [session.id]);
    const lines = (await transaction.all("SELECT sum(line_count) AS lines FROM source_run WHERE session_id = ?", [session.id]))[0]?.lines ?? 0;
    await transaction.run("DELETE FROM source_run WHERE session_id = ?", [session.id]);
    const bytes = await removePacks(context, transaction, session.id);
    await transaction.run("DELETE FROM block_use WHERE session_id = ?", [session.id]);
    await transaction.run("DELETE FROM state WHERE scope = ?", [`session:${sessionKey}`]);
    await transaction.run("DELETE FROM session WHERE id = ?", [session.id]);
    await transaction.insert(tables.deletedSession, ["key", "deleted_at"], [[storableText(sessionKey), Date.now()]], 'ON CONFLICT ("key") DO NOTHING');
    return { sessionId: sessionKey, entries, requests: facts.length, sourceLines: lines, bytes };
  });
  context.packs.clear();
  if (report === void 0) return void 0;
  await context.database.scrub();
  return report;
};
var removePacks = async (context, transaction, sessionId) => {
  const shared = await transaction.all(
    `SELECT block.id, block.pack_id, block."offset", block.length, min(block_use.session_id) AS heir
     FROM pack JOIN block ON block.pack_id = pack.id JOIN block_use ON block_use.block_id = block.id
     WHERE pack.session_id = ? AND block_use.session_id <> ?
     GROUP BY block.id, block.pack_id, block."offset", block.length ORDER BY block.id`,
    [sessionId, sessionId]
  );
  for (const heir of new Set(shared.map((block) => block.heir))) {
    await movePacked(context, transaction, shared.filter((block) => block.heir === heir), heir);
  }
  const size = await transaction.all("SELECT sum(length(data)) AS bytes FROM pack WHERE session_id = ?", [sessionId]);
  await transaction.run("DELETE FROM block WHERE pack_id IN (SELECT id FROM pack WHERE session_id = ?)", [sessionId]);
  await transaction.run("DELETE FROM pack WHERE session_id = ?", [sessionId]);
  return size[0]?.bytes ?? 0;
};
var movePacked = async (context, transaction, blocks, heir) => {
  const contents = await context.packs.read(blocks.map((block) => ({ packId: block.pack_id, offset: block.offset, length: block.length })));
  const pack = await new PackDraft().seal(contents.map((content) => content.bytes), () => false);
  const [packId = 0] = await transaction.reserveIds(tables.pack, 1);
  const row = [packId, heir, pack.rawSize, pack.references(() => 0), pack.data];
  await transaction.insert(tables.pack, ["id", "session_id", "raw_size", "refs", "data"], [row]);
  for (const [index, block] of blocks.entries()) {
    await transaction.run('UPDATE block SET pack_id = ?, "offset" = ? WHERE id = ?', [packId, pack.places[index]?.offset ?? 0, block.id]);
    await transaction.run("DELETE FROM block_use WHERE block_id = ? AND session_id = ?", [block.id, heir]);
  }
};

// src/repository/dimension-ids.ts
var UNKNOWN = "unknown";
var idsOf = async (database, dimension, value) => {
  const text = storableText(value);
  const find = (sql3, parameters) => database.all(sql3, parameters);
  const rows = dimension === "session" ? await find('SELECT id FROM session WHERE "key" = ? OR external_id = ?', [text, text]) : dimension === "workspace" ? await find('SELECT id FROM workspace WHERE "path" = ? OR name = ?', [text, text]) : await find("SELECT id FROM label WHERE kind = ? AND value = ?", [labelKind[dimension], text]);
  const ids = rows.map(({ id }) => id);
  return value === UNKNOWN ? [...ids, 0] : ids;
};
var placesFor = (ids) => ids.length === 0 ? "-1" : ids.map(() => "?").join(", ");

// src/repository/session-list.ts
var likePattern = (text) => text.replace(/[\\%_]/g, "\\$&");
var listFilter = async (database, query) => {
  const conditions = [];
  const parameters = [];
  const where = (sql3, ...values) => {
    conditions.push(sql3);
    parameters.push(...values);
  };
  for (const dimension of ["agent", "workspace", "branch", "model"]) {
    const value = query[dimension];
    if (value === void 0) continue;
    const ids = await idsOf(database, dimension, value);
    where(conditionOn[dimension](placesFor(ids)), ...ids);
  }
  const { text, since, until } = query;
  if (text !== void 0) where("lower(session.title) LIKE lower(?) ESCAPE '\\'", `%${likePattern(storableText(text))}%`);
  if (since !== void 0) where("session.updated_at >= ?", since);
  if (until !== void 0) where("session.started_at < ?", until);
  return { sql: conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`, parameters };
};
var conditionOn = {
  agent: (ids) => `session.agent_id IN (${ids})`,
  workspace: (ids) => `session.workspace_id IN (${ids})`,
  branch: (ids) => `session.branch_id IN (${ids})`,
  model: (ids) => `EXISTS (SELECT 1 FROM usage_day WHERE usage_day.session_id = session.id AND usage_day.model_id IN (${ids}))`
};
var sortColumn = {
  updated: "session.updated_at",
  started: "session.started_at",
  cost: "session.cost_nano",
  messages: "session.message_count"
};
var listOrder = (sort, order) => {
  const direction = order === "ascending" ? "ASC" : "DESC";
  return `${sortColumn[sort]} ${direction} NULLS LAST, session.id ${direction}`;
};

// src/repository/sessions.ts
var SUMMARY = `
  SELECT session.id, session."key", agent.value AS agent, session.external_id, workspace."path" AS workspace, branch.value AS branch,
    session.title, session.started_at, session.updated_at, session.next_seq, session.message_count, session.favourite, session.redactions,
    session.requests, CAST(session.cost_nano AS TEXT) AS cost_text, session.unpriced, session.forked_from
  FROM session
  LEFT JOIN label AS agent ON agent.id = session.agent_id
  LEFT JOIN workspace ON workspace.id = session.workspace_id
  LEFT JOIN label AS branch ON branch.id = session.branch_id`;
var READ_PAGE = 500;
var DEFAULT_LIMIT = 50;
var decoder4 = new TextDecoder();
var PrismaSessionStorage = class {
  #context;
  #appends;
  constructor(context, appends) {
    this.#context = context;
    this.#appends = appends;
  }
  append(session, expectedSeq, writes) {
    return this.#appends.append(session, expectedSeq, writes);
  }
  async read(sessionId, range = {}) {
    const entries = [];
    const limit = range.limit ?? Number.MAX_SAFE_INTEGER;
    const codes = range.kinds?.map(kindCode);
    const ofKinds = codes === void 0 ? "" : ` AND kind IN (${codes.length === 0 ? "-1" : codes.join(", ")})`;
    let from = range.fromSeq ?? 0;
    while (entries.length < limit) {
      const rows = await this.#context.database.all(
        `SELECT seq, at, pack_id, "offset", length, body FROM entry
         WHERE session_id = (SELECT id FROM session WHERE "key" = ?) AND seq >= ?${ofKinds} ORDER BY seq LIMIT ?`,
        [storableText(sessionId), from, Math.min(READ_PAGE, limit - entries.length)]
      );
      const last = rows.at(-1);
      if (last === void 0) break;
      for (const entry of await this.#hydrate(rows)) entries.push(entry);
      from = last.seq + 1;
    }
    return entries;
  }
  async get(sessionId) {
    return (await this.#summaries('WHERE session."key" = ?', [storableText(sessionId)]))[0];
  }
  async list(query) {
    const { sql: sql3, parameters } = await listFilter(this.#context.database, query);
    const order = listOrder(query.sort ?? "updated", query.order ?? "descending");
    const counted = await this.#context.database.all(`SELECT count(*) AS total FROM session ${sql3}`, parameters);
    const ids = `SELECT session.id FROM session ${sql3} ORDER BY ${order} LIMIT ? OFFSET ?`;
    const sessions = await this.#summaries(`WHERE session.id IN (${ids}) ORDER BY ${order}`, [...parameters, query.limit ?? DEFAULT_LIMIT, query.offset ?? 0]);
    return { sessions, total: counted[0]?.total ?? 0 };
  }
  async resolve(idOrPrefix, limit = 10) {
    const text = storableText(idOrPrefix);
    const exact = await this.#summaries('WHERE session."key" = ? OR session.external_id = ?', [text, text]);
    if (exact.length > 0) return exact;
    const pattern = `${likePattern(text)}%`;
    return this.#summaries(`WHERE session."key" LIKE ? ESCAPE '\\' OR session.external_id LIKE ? ESCAPE '\\' ORDER BY session.updated_at DESC LIMIT ?`, [pattern, pattern, limit]);
  }
  async *sourceLines(sessionId) {
    let after = 0;
    for (; ; ) {
      const rows = await this.#context.database.all(
        `SELECT source_run.id, imported_file."path", source_run.first_line, source_run.pack_id, source_run."offset", source_run.length
         FROM source_run JOIN imported_file ON imported_file.id = source_run.file_id
         WHERE source_run.session_id = (SELECT id FROM session WHERE "key" = ?) AND source_run.id > ? ORDER BY source_run.id LIMIT 16`,
        [storableText(sessionId), after]
      );
      if (rows.length === 0) return;
      const contents = await this.#context.packs.read(rows.map((row) => ({ packId: row.pack_id, offset: row.offset, length: row.length })));
      for (const [index, row] of rows.entries()) {
        const content = contents[index];
        if (content === void 0) continue;
        for (const [place, bytes] of decodeLines(content.bytes, content.text).entries()) yield { file: row.path, line: row.first_line + place, bytes };
        after = row.id;
      }
    }
  }
  delete(sessionId) {
    return deleteSession(this.#context, sessionId);
  }
  async #hydrate(rows) {
    const packed = rows.filter((row) => row.pack_id !== null);
    const contents = await this.#context.packs.read(packed.map((row) => ({ packId: row.pack_id ?? 0, offset: row.offset ?? 0, length: row.length ?? 0 })));
    const byRow = new Map(packed.map((row, index) => [row, contents[index]]));
    return rows.map((row) => {
      const content = byRow.get(row);
      const body = content?.bytes ?? row.body ?? new Uint8Array();
      return entryOf(row.seq, row.at, hydrateBody(decoder4.decode(body), content?.text ?? (() => "")));
    });
  }
  async #summaries(tail, parameters) {
    return (await this.#context.database.all(`${SUMMARY} ${tail}`, parameters)).map(summaryOf);
  }
};
var summaryOf = (row) => ({
  id: row.key,
  agent: row.agent ?? "unknown",
  externalId: row.external_id,
  workspace: row.workspace,
  branch: row.branch,
  title: row.title,
  startedAt: row.started_at,
  updatedAt: row.updated_at,
  entries: row.next_seq,
  messages: row.message_count,
  favourite: row.favourite === 1,
  redactions: row.redactions,
  requests: row.requests,
  costNano: BigInt(row.cost_text),
  unpricedRequests: row.unpriced,
  ...row.forked_from === null ? {} : { forkedFrom: row.forked_from }
});

// src/repository/state.ts
var scopeKey = (scope) => {
  switch (scope.tier) {
    case "global":
      return "global";
    case "workspace":
      return `workspace:${storableText(scope.workspace)}`;
    case "session":
      return `session:${storableText(scope.sessionId)}`;
  }
};
var PrismaStateStorage = class {
  #client;
  constructor(client) {
    this.#client = client;
  }
  async get(scope, key) {
    const { state } = await this.#client.get();
    const row = await state.findUnique({ where: { scope_key: { scope: scopeKey(scope), key: storableText(key) } } });
    return row === null ? void 0 : JSON.parse(row.value);
  }
  async all(scope) {
    const { state } = await this.#client.get();
    const rows = await state.findMany({ where: { scope: scopeKey(scope) }, orderBy: { key: "asc" } });
    return new Map(rows.map((row) => [row.key, JSON.parse(row.value)]));
  }
  async set(scope, values) {
    const client = await this.#client.get();
    const where = { scope: scopeKey(scope) };
    const updatedAt = BigInt(Date.now());
    await client.$transaction(
      [...values].map(([name, value]) => {
        const key = storableText(name);
        if (value === void 0) return client.state.deleteMany({ where: { ...where, key } });
        const text = JSON.stringify(value);
        return client.state.upsert({
          where: { scope_key: { ...where, key } },
          create: { ...where, key, value: text, updatedAt },
          update: { value: text, updatedAt }
        });
      })
    );
  }
};

// src/repository/usage.ts
init_src();
init_schema();

// src/repository/usage-days.ts
init_src();

// src/repository/usage-rows.ts
var sums = sumColumns2.map((column) => `sum(${column}) AS ${column}`).join(", ");
var outerSums = sumColumns2.map((column) => column.endsWith("_nano") ? `CAST(sum(${column}) AS TEXT) AS ${column}` : `sum(${column}) AS ${column}`).join(", ");
var textSums = sumColumns2.map((column) => column.endsWith("_nano") ? `CAST(${column} AS TEXT) AS ${column}` : column).join(", ");
var totalsOf = (row) => ({
  requests: row.requests ?? 0,
  inputTokens: row.input_tokens,
  cacheReadTokens: row.cache_read,
  cacheWrite5mTokens: row.cache_write_5m,
  cacheWrite1hTokens: row.cache_write_1h,
  outputTokens: row.output_tokens,
  reasoningTokens: row.reasoning_tokens,
  costNano: BigInt(row.cost_nano),
  recordedCostNano: BigInt(row.recorded_nano),
  cacheReadCostNano: BigInt(row.cost_cache_read_nano),
  cacheWriteCostNano: BigInt(row.cost_cache_write_nano),
  outputCostNano: BigInt(row.cost_output_nano),
  savedNano: BigInt(row.saved_nano),
  unpricedRequests: row.unpriced,
  partialRequests: row.partial,
  missingOutputTokens: row.missing_output
});

// src/repository/usage-source.ts
var BUCKET_MS2 = 9e5;
var DAY_MS2 = 864e5;
var quarters = { table: "usage_quarter", time: "bucket", numberOf: (ms) => Math.floor(ms / BUCKET_MS2), startOf: (number2) => number2 * BUCKET_MS2 };
var days = { table: "usage_day", time: "day", numberOf: (ms) => Math.floor(ms / DAY_MS2), startOf: (number2) => number2 * DAY_MS2 };
var totals = { ...quarters, table: "usage_total" };
var margin = (column) => ({ ...days, table: "usage_margin", part: { condition: `dimension = ${marginNumber[column]}`, group: `value_id AS ${column}` } });
var FACTS = `(SELECT "at", session_id, workspace_id, model_id, mode_id, agent_id, branch_id, 1 AS requests, input_tokens, cache_read,
  cache_write_5m, cache_write_1h, output_tokens, reasoning_tokens, COALESCE(cost_nano, 0) AS cost_nano,
  CASE WHEN cost_state = 0 THEN COALESCE(cost_nano, 0) ELSE 0 END AS recorded_nano, cost_cache_read AS cost_cache_read_nano, cost_cache_write AS cost_cache_write_nano, cost_output AS cost_output_nano, saved_nano,
  CASE WHEN cost_state = 2 THEN 1 ELSE 0 END AS unpriced,
  CASE WHEN output_tokens * 54 < visible_chars * 10 THEN 1 ELSE 0 END AS partial,
  CASE WHEN output_tokens * 54 < visible_chars * 10 THEN (visible_chars * 10 + 26) / 27 - output_tokens ELSE 0 END AS missing_output
  FROM usage_fact) AS facts`;
var sourceOf = (grouping, range, filter, wanted = sumColumns2) => {
  const columns = wanted.join(", ");
  const sums2 = wanted.map((column) => `sum(${column}) AS ${column}`).join(", ");
  const levels = levelsFor(grouping);
  const parts = [];
  const add = (table, key, sql3, parameters) => {
    const [what, group] = grouping.key === "bucket" ? [sums2, " GROUP BY 1"] : [columns, ""];
    parts.push({ sql: `SELECT ${key}, ${what} FROM ${table} WHERE ${sql3}${filter.sql}${group}`, parameters: [...parameters, ...filter.parameters] });
  };
  const [coarsest] = levels;
  if (range.since === void 0 && range.until === void 0 && coarsest !== void 0) {
    add(coarsest.table, coarsest.part?.group ?? grouping.key, coarsest.part?.condition ?? "TRUE", []);
  } else {
    cover(levels, { since: range.since ?? 0, until: range.until }, grouping.key, add);
  }
  if (parts.length === 0) add("usage_quarter", grouping.key, "FALSE", []);
  return { sql: `(${parts.map((part) => part.sql).join(" UNION ALL ")}) AS source`, parameters: parts.flatMap((part) => part.parameters) };
};
var levelsFor = ({ key, filtered }) => {
  if (key === "bucket") return [filtered ? quarters : totals];
  return filtered || marginNumber[key] === void 0 ? [days, quarters] : [margin(key), quarters];
};
var cover = (levels, range, key, add) => {
  const { since, until } = range;
  if (until !== void 0 && until <= since) return;
  const [level, ...finer] = levels;
  if (level === void 0) {
    const time = key === "bucket" ? `"at" / ${BUCKET_MS2} AS bucket` : key;
    add(FACTS, time, until === void 0 ? '"at" >= ?' : '"at" >= ? AND "at" < ?', until === void 0 ? [since] : [since, until]);
    return;
  }
  const containing = level.numberOf(since);
  const first = level.startOf(containing) === since ? containing : containing + 1;
  const end2 = until === void 0 ? void 0 : level.numberOf(until);
  if (end2 !== void 0 && end2 <= first) {
    cover(finer, range, key, add);
    return;
  }
  const inside = end2 === void 0 ? `${level.time} >= ?` : `${level.time} >= ? AND ${level.time} < ?`;
  const condition = level.part === void 0 ? inside : `${level.part.condition} AND ${inside}`;
  add(level.table, level.part?.group ?? key, condition, end2 === void 0 ? [first] : [first, end2]);
  cover(finer, { since, until: level.startOf(first) }, key, add);
  if (end2 !== void 0) cover(finer, { since: level.startOf(end2), until }, key, add);
};

// src/repository/usage-days.ts
var BUCKET_MS3 = 9e5;
var BUCKETS_PER_DAY2 = 96;
var DAY_MS3 = 864e5;
var LONG_RANGE_DAYS = 60;
var sumsByDay = async (database, range, extent, timeZone, filter) => {
  if (extent === void 0 || filter.sql === "") return byQuarters(database, range, extent, timeZone, filter);
  const first = Math.ceil(Math.max(extent.first, range.since ?? extent.first) / DAY_MS3);
  const end2 = Math.floor(Math.min(extent.last, range.until ?? extent.last) / DAY_MS3);
  const offsets = zoneOffsets(timeZone, first * DAY_MS3, Math.max(first, end2) * DAY_MS3);
  const isWhole = offsets.every(({ from, offsetMs }, index) => offsetMs % BUCKET_MS3 === 0 && (index === 0 || from % BUCKET_MS3 === 0));
  if (end2 - first < LONG_RANGE_DAYS || !isWhole) return byQuarters(database, range, extent, timeZone, filter);
  const inside = await byMovedDays(database, first, end2, offsets, filter);
  const before = await byQuarters(database, { since: range.since, until: first * DAY_MS3 }, extent, timeZone, filter);
  const after = await byQuarters(database, { since: end2 * DAY_MS3, until: range.until }, extent, timeZone, filter);
  const unknown = range.since === void 0 && range.until === void 0 ? await withoutTime(database, filter) : [];
  return [...before, ...inside, ...after, ...unknown];
};
var byQuarters = (database, range, extent, timeZone, filter) => {
  const source = sourceOf({ key: "bucket", filtered: filter.sql !== "" }, range, filter);
  const offsets = extent === void 0 ? [] : zoneOffsets(timeZone, Math.max(extent.first, range.since ?? 0), Math.max(extent.first, Math.min(extent.last, range.until ?? extent.last)));
  const offset = offsets.reduce(
    (earlier, { from, offsetMs }, index) => index === 0 ? `${offsetMs}` : `CASE WHEN CAST(bucket AS BIGINT) * ${BUCKET_MS3} >= ${from} THEN ${offsetMs} ELSE ${earlier} END`,
    "0"
  );
  return database.all(
    `SELECT day AS group_key, ${outerSums} FROM (
       SELECT CASE WHEN bucket < 0 THEN -1 ELSE (CAST(bucket AS BIGINT) * ${BUCKET_MS3} + (${offset})) / ${DAY_MS3} END AS day, ${sumColumns2.join(", ")}
       FROM (SELECT bucket, ${sums} FROM ${source.sql} GROUP BY bucket) AS buckets) AS days
     GROUP BY day`,
    source.parameters
  );
};
var withoutTime = (database, filter) => database.all(`SELECT day AS group_key, ${outerSums} FROM usage_day WHERE day = -1${filter.sql} GROUP BY day`, filter.parameters);
var byMovedDays = (database, first, end2, offsets, filter) => {
  const unindexed = filter.sql.replaceAll(/ AND (\w+) IN/g, " AND +$1 IN");
  const moved = offsets.flatMap(({ from, offsetMs }, index) => {
    const quarters2 = offsetMs / BUCKET_MS3;
    if (quarters2 === 0) return [];
    const to = offsets[index + 1]?.from;
    const start = Math.max(first * BUCKETS_PER_DAY2, index === 0 ? 0 : from / BUCKET_MS3);
    const stop = Math.min(end2 * BUCKETS_PER_DAY2, to === void 0 ? Number.MAX_SAFE_INTEGER : to / BUCKET_MS3);
    const [low, high, step2] = quarters2 > 0 ? [BUCKETS_PER_DAY2 - quarters2, BUCKETS_PER_DAY2, 1] : [0, -quarters2, -1];
    return [
      {
        sql: `SELECT each.day AS day, ${step2} AS step, ${sums} FROM each CROSS JOIN usage_quarter
          WHERE bucket >= each.day * ${BUCKETS_PER_DAY2} + ${low} AND bucket < each.day * ${BUCKETS_PER_DAY2} + ${high}
            AND +bucket >= ${start} AND +bucket < ${stop}${unindexed} GROUP BY each.day`,
        parameters: filter.parameters
      }
    ];
  });
  const plus2 = sumColumns2.join(", ");
  const minus = sumColumns2.map((column) => `-${column}`).join(", ");
  const whole = `SELECT day, ${sums} FROM usage_day WHERE day >= ? AND day < ?${filter.sql} GROUP BY day`;
  const parts = moved.length === 0 ? whole : `${whole} UNION ALL SELECT day + step, ${plus2} FROM moved UNION ALL SELECT day, ${minus} FROM moved`;
  const definitions = moved.length === 0 ? "" : `WITH RECURSIVE each (day) AS (SELECT CAST(? AS BIGINT) UNION ALL SELECT day + 1 FROM each WHERE day + 1 < ?), moved AS (${moved.map(({ sql: sql3 }) => sql3).join(" UNION ALL ")})`;
  return database.all(`${definitions} SELECT day AS group_key, ${outerSums} FROM (${parts}) AS parts GROUP BY day`, [
    ...moved.length === 0 ? [] : [first, end2, ...moved.flatMap(({ parameters }) => parameters)],
    first,
    end2,
    ...filter.parameters
  ]);
};

// src/repository/usage.ts
var BUCKET_MS4 = 9e5;
var dimensionColumn = {
  session: "session_id",
  model: "model_id",
  mode: "mode_id",
  workspace: "workspace_id",
  branch: "branch_id",
  agent: "agent_id"
};
var TOTAL_KEY = -1;
var NO_LIMIT = 2147483647;
var FEW_SESSIONS = 1e3;
var MANY_IDS = 2e4;
var dearestFirst = (left, right) => left.costNano === right.costNano ? right.requests - left.requests || (left.key < right.key ? -1 : 1) : left.costNano < right.costNano ? 1 : -1;
var PrismaUsageStorage = class {
  #context;
  constructor(context) {
    this.#context = context;
  }
  async report(query) {
    const filter = await this.#filter(query);
    if (query.by !== "day" && query.by !== "week" && query.by !== "month") return this.#byDimension(query, query.by, filter);
    const rows = await this.#byPeriod(query, query.by, filter);
    const total = rows.reduce(addTotals, emptyTotals);
    return { rows: query.limit === void 0 ? rows : rows.slice(Math.max(0, rows.length - query.limit)), total };
  }
  async requests(sessionId) {
    const rows = await this.#context.database.all(
      `SELECT usage_fact."at", model.value AS model, mode.value AS mode, subagent.value AS subagent, input_tokens, cache_read, cache_write_5m,
         cache_write_1h, output_tokens, reasoning_tokens, CAST(cost_nano AS TEXT) AS cost_text, cost_state, visible_chars
       FROM usage_fact
       LEFT JOIN label AS model ON model.id = model_id LEFT JOIN label AS mode ON mode.id = mode_id LEFT JOIN label AS subagent ON subagent.id = subagent_id
       WHERE session_id = (SELECT id FROM session WHERE "key" = ?) ORDER BY usage_fact."at" IS NULL, usage_fact."at", usage_fact.id`,
      [storableText(sessionId)]
    );
    return rows.map((row) => ({
      at: row.at,
      model: row.model ?? "unknown",
      mode: row.mode,
      subagent: row.subagent,
      inputTokens: row.input_tokens,
      cacheReadTokens: row.cache_read,
      cacheWrite5mTokens: row.cache_write_5m,
      cacheWrite1hTokens: row.cache_write_1h,
      outputTokens: row.output_tokens,
      reasoningTokens: row.reasoning_tokens,
      costNano: row.cost_text === null ? null : BigInt(row.cost_text),
      costState: costStates[row.cost_state],
      partial: row.output_tokens * 54 < row.visible_chars * 10
    }));
  }
  async #byPeriod(query, by, filter) {
    assertTimeZone(query.timeZone ?? "UTC");
    const range = { since: query.since, until: query.until };
    const rows = await sumsByDay(this.#context.database, range, await this.#extent(), query.timeZone ?? "UTC", filter);
    const periods = /* @__PURE__ */ new Map();
    for (const row of rows.toSorted((left, right) => left.group_key - right.group_key)) {
      if (row.requests === 0) continue;
      const key = row.group_key < 0 ? "unknown" : periodKey(by, row.group_key);
      periods.set(key, addTotals(periods.get(key) ?? emptyTotals, totalsOf(row)));
    }
    return [...periods].map(([key, totals2]) => ({ key, ...totals2 })).sort((left, right) => Number(left.key === "unknown") - Number(right.key === "unknown"));
  }
  async #byDimension(query, by, filter) {
    if (by === "session" && query.limit !== void 0 && query.limit <= FEW_SESSIONS) return this.#dearestSessions(query, query.limit, filter);
    return this.#allOf(query, by, filter);
  }
  /** Of hundreds of thousands of sessions a few are wanted: found by cost alone, then summed; the total comes from the small rollups. */
  async #dearestSessions(query, limit, filter) {
    const range = { since: query.since, until: query.until };
    const source = sourceOf({ key: "session_id", filtered: filter.sql !== "" }, range, filter, ["requests", "cost_nano"]);
    const found = await this.#context.database.all(
      `SELECT session_id FROM ${source.sql} GROUP BY session_id ORDER BY sum(cost_nano) DESC, sum(requests) DESC LIMIT ${limit}`,
      source.parameters
    );
    const { total } = await this.#allOf(query, "agent", filter);
    if (found.length === 0) return { rows: [], total };
    const ids = found.map((row) => row.session_id);
    const only = { sql: `${filter.sql} AND session_id IN (${ids.map(() => "?").join(", ")})`, parameters: [...filter.parameters, ...ids] };
    return { rows: (await this.#allOf({ ...query, limit }, "session", only)).rows, total };
  }
  async #allOf(query, by, filter) {
    const column = dimensionColumn[by];
    const source = sourceOf({ key: column, filtered: filter.sql !== "" }, { since: query.since, until: query.until }, filter);
    const limit = query.limit ?? NO_LIMIT;
    const rows = await this.#context.database.all(
      `WITH sums AS (SELECT ${column} AS group_key, ${sums} FROM ${source.sql} GROUP BY ${column})
       SELECT * FROM (SELECT group_key, ${textSums} FROM sums ORDER BY cost_nano DESC, requests DESC LIMIT ${limit}) AS dearest
       UNION ALL SELECT ${TOTAL_KEY} AS group_key, ${outerSums} FROM sums`,
      source.parameters
    );
    const total = rows.find((row) => row.group_key === TOTAL_KEY);
    const groups = rows.filter((row) => row.group_key !== TOTAL_KEY);
    const names2 = await this.#names(by, groups.map((row) => row.group_key));
    const named = groups.map((row) => ({ key: names2.get(row.group_key) ?? "unknown", ...totalsOf(row) }));
    return { rows: named.sort(dearestFirst), total: total === void 0 || total.requests === null ? emptyTotals : totalsOf(total) };
  }
  async #names(by, ids) {
    const { database } = this.#context;
    const [table, column] = by === "session" ? [tables.session, "key"] : by === "workspace" ? [tables.workspace, "path"] : [tables.label, "value"];
    const rows = ids.length > MANY_IDS ? await database.all(`SELECT id, "${column}" AS name FROM ${table.name}`) : (await database.lookup(table, { columns: ["id", column], key: "id" }, ids)).map((row) => ({ id: row.id, name: row[column] ?? "" }));
    return new Map(rows.map((row) => [row.id, row.name]));
  }
  /** First and last time that the store holds, ms; undefined when no request has a time. */
  async #extent() {
    const rows = await this.#context.database.all(
      "SELECT (SELECT min(bucket) FROM usage_total WHERE bucket >= 0) AS first, (SELECT max(bucket) FROM usage_total) AS last"
    );
    const { first, last } = rows[0] ?? { first: null, last: null };
    return first === null || last === null || last < 0 ? void 0 : { first: first * BUCKET_MS4, last: (last + 1) * BUCKET_MS4 };
  }
  async #filter(query) {
    const conditions = [];
    const parameters = [];
    for (const [dimension, value] of Object.entries(query.filter ?? {})) {
      if (value === void 0) continue;
      const ids = await idsOf(this.#context.database, dimension, value);
      conditions.push(` AND ${dimensionColumn[dimension]} IN (${placesFor(ids)})`);
      parameters.push(...ids);
    }
    return { sql: conditions.join(""), parameters };
  }
};

// src/search/backfill.ts
init_src();
var STEP = 250;
var fillIndex = async (database, sessions, upkeep, onProgress) => {
  const left = async () => (await database.all("SELECT COALESCE(sum(until_seq - from_seq), 0) AS left FROM search_pending"))[0]?.left ?? 0;
  const total = await left();
  if (total > 0) onProgress?.({ done: 0, total });
  const said = /* @__PURE__ */ new Set();
  for (let session = 0; ; ) {
    const [row] = await database.all(
      `SELECT search_pending.session_id, session."key", session.workspace_id, search_pending.from_seq, search_pending.until_seq
       FROM search_pending JOIN session ON session.id = search_pending.session_id ORDER BY search_pending.session_id LIMIT 1`
    );
    if (row === void 0) break;
    if (row.session_id !== session) said.clear();
    session = row.session_id;
    if (await step(database, sessions, row, said)) await upkeep.tend([row.workspace_id]);
    onProgress?.({ done: Math.max(0, total - await left()), total });
  }
  await database.transaction({ durability: "lazy" }, (transaction) => transaction.run("DELETE FROM search_pending WHERE session_id NOT IN (SELECT id FROM session)"));
};
var step = async (database, sessions, row, said) => {
  const end2 = Math.min(row.from_seq + STEP, row.until_seq);
  const entries = await readAll(sessions, row.key, row.from_seq, end2);
  const ids = new Map(
    (await database.all("SELECT id, seq FROM entry WHERE session_id = ? AND kind = 1 AND seq >= ? AND seq < ?", [row.session_id, row.from_seq, end2])).map(({ id, seq }) => [seq, id])
  );
  const isRepeated = (text) => text.length >= BLOCK_MINIMUM && (said.has(text) || !said.add(text));
  const rows = entries.flatMap((entry) => {
    const entryId = ids.get(entry.seq);
    if (entry.kind !== "message" || entryId === void 0) return [];
    return [{ entryId, sessionId: row.session_id, seq: entry.seq, workspaceId: row.workspace_id, data: encodeMessage(entry.at, analyseEntry(entry, isRepeated)) }];
  });
  try {
    await database.transaction({ durability: "lazy" }, async (transaction) => {
      const moved = end2 === row.until_seq ? await transaction.run("DELETE FROM search_pending WHERE session_id = ? AND from_seq = ?", [row.session_id, row.from_seq]) : await transaction.run("UPDATE search_pending SET from_seq = ? WHERE session_id = ? AND from_seq = ?", [end2, row.session_id, row.from_seq]);
      if (moved !== 1) throw new IndexMoved();
      await addToTail(transaction, rows);
    });
    return true;
  } catch (error) {
    if (error instanceof IndexMoved) return false;
    throw error;
  }
};
var readAll = async (sessions, key, from, end2) => {
  try {
    return (await sessions.read(key, { fromSeq: from, limit: end2 - from })).filter(({ seq }) => seq < end2);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== "storage-corrupt") throw error;
    if (end2 - from === 1) return [];
    const middle = Math.floor((from + end2) / 2);
    return [...await readAll(sessions, key, from, middle), ...await readAll(sessions, key, middle, end2)];
  }
};

// src/search/search-source.ts
init_src();
import { LRUCache as LRUCache2 } from "lru-cache";
init_schema();
var MEGABYTE = 1024 * 1024;
var PAGE_CACHE_BYTES = 24 * MEGABYTE;
var HEAD_CACHE_BYTES = 64 * MEGABYTE;
var VIEWS = 6;
var TAIL_PIECES = 8;
var MANY = 20;
var ATTEMPTS3 = 5;
var SearchSource = class {
  #database;
  #sessions;
  #fill;
  #pages = new LRUCache2({ maxSize: PAGE_CACHE_BYTES, sizeCalculation: (page) => page.byteLength + 128 });
  #heads = new LRUCache2({ maxSize: HEAD_CACHE_BYTES, sizeCalculation: (segment) => segment.at.buffer.byteLength + 1024 });
  #views = new LRUCache2({ max: VIEWS });
  /** `fill`: indexes what the log has and the index lacks. */
  constructor(database, sessions, fill) {
    this.#database = database;
    this.#sessions = sessions;
    this.#fill = fill;
  }
  /** After the index was emptied. */
  clear() {
    this.#pages.clear();
    this.#heads.clear();
    this.#views.clear();
  }
  async open(scope) {
    const onBranch = scope.branch === void 0 ? void 0 : await this.#numbers("branch_id IN (SELECT id FROM label WHERE kind = ? AND value = ?)", [labelKind.branch, storableText(scope.branch)]);
    const workspaces = await this.#workspacesOf(scope);
    const known2 = await this.#viewOf(workspaces);
    return { view: known2.view, sessions: await this.#sessionsOf(scope, known2, workspaces), onBranch, read: (ids) => this.#read(ids) };
  }
  async sessions(numbers) {
    const rows = await this.#database.lookup(tables.session, { columns: ["id", "key", "title"], key: "id" }, numbers);
    return new Map(rows.map(({ id, key, title }) => [id, { id: key, title }]));
  }
  async branches(numbers) {
    const names2 = new Map((await this.#database.all("SELECT id, value FROM label WHERE kind = ?", [labelKind.branch])).map(({ id, value }) => [id, value]));
    if (names2.size === 0) return Array.from(numbers, () => null);
    const rows = await this.#database.all("SELECT id, branch_id FROM session WHERE branch_id <> 0");
    const branches = new Map(rows.map(({ id, branch_id: branch }) => [id, branch]));
    return Array.from(numbers, (number2) => names2.get(branches.get(number2) ?? 0) ?? null);
  }
  async messages(places) {
    const keys = await this.sessions([...new Set(places.map(({ session }) => session))]);
    const bySession = Map.groupBy(places, ({ session }) => session);
    const found = /* @__PURE__ */ new Map();
    const read = async (session, own) => {
      const key = keys.get(session)?.id;
      if (key === void 0) return;
      const ranges = own.length > MANY ? [rangeOf(own.map(({ seq }) => seq))] : own.map(({ seq }) => ({ fromSeq: seq, limit: 1 }));
      const entries = await Promise.all(ranges.map((range) => this.#sessions.read(key, range)));
      for (const entry of entries.flat()) if (entry.kind === "message") found.set(`${session} ${entry.seq}`, entry);
    };
    if (bySession.size <= MANY) await Promise.all([...bySession].map(([session, own]) => read(session, own)));
    else for (const [session, own] of bySession) await read(session, own);
    return places.map(({ session, seq }) => found.get(`${session} ${seq}`));
  }
  async #sessionsOf({ workspace, sessionId, agent }, known2, workspaces) {
    if (workspace !== void 0 && sessionId === void 0 && agent === void 0) {
      if (known2.unsettled.length === 0) return known2.settled;
      const rows = await this.#database.lookup(tables.session, { columns: ["id", "workspace_id"], key: "id" }, known2.unsettled);
      return /* @__PURE__ */ new Set([...known2.settled, ...rows.filter((row) => row.workspace_id !== 0 && workspaces?.includes(row.workspace_id) === true).map(({ id }) => id)]);
    }
    const conditions = [];
    const parameters = [];
    const where = (sql3, ...values) => {
      conditions.push(sql3);
      parameters.push(...values);
    };
    if (workspace !== void 0) where('workspace_id IN (SELECT id FROM workspace WHERE "path" = ? OR name = ?)', storableText(workspace), storableText(workspace));
    if (sessionId !== void 0) where('"key" = ?', storableText(sessionId));
    if (agent !== void 0) where("agent_id IN (SELECT id FROM label WHERE kind = ? AND value = ?)", labelKind.agent, storableText(agent));
    return conditions.length === 0 ? void 0 : this.#numbers(conditions.join(" AND "), parameters);
  }
  async #numbers(condition, parameters) {
    return new Set((await this.#database.all(`SELECT id FROM session WHERE ${condition}`, parameters)).map(({ id }) => id));
  }
  /** Parts of the index that hold the scope's messages; 0 holds what came before a session's workspace was known. */
  async #workspacesOf({ workspace, sessionId }) {
    if (workspace === void 0 && sessionId === void 0) return void 0;
    const rows = await this.#database.all(
      workspace === void 0 ? 'SELECT workspace_id AS id FROM session WHERE "key" = ?' : 'SELECT id FROM workspace WHERE "path" = ? OR name = ?',
      workspace === void 0 ? [storableText(sessionId ?? "")] : [storableText(workspace), storableText(workspace)]
    );
    return [.../* @__PURE__ */ new Set([0, ...rows.map(({ id }) => id)])].sort((left, right) => left - right);
  }
  async #viewOf(workspaces) {
    const key = workspaces?.join(" ") ?? "all";
    const where = workspaces === void 0 ? "" : `WHERE workspace_id IN (${workspaces.join(", ")})`;
    for (let attempt = 1; ; attempt += 1) {
      const known2 = this.#views.get(key);
      const [state] = await this.#database.all(
        `SELECT (SELECT count(*) FROM search_pending) AS pending, (${versionOf2("id", `search_segment ${where}`)}) || '/' || (${versionOf2("entry_id", `search_tail ${where}`)}) AS version`
      );
      if ((state?.pending ?? 0) > 0) {
        await this.#fill();
        continue;
      }
      if (known2 !== void 0 && known2.version === state?.version) return known2;
      try {
        const made = await this.#makeView(where, known2);
        this.#views.set(key, made);
        return made;
      } catch (error) {
        if (!(error instanceof SegmentGone) || attempt === ATTEMPTS3) throw error;
      }
    }
  }
  /** Of one statement, so that a message on its way from the tail into a segment is seen once. */
  async #makeView(where, earlier) {
    const rows = await this.#database.all(
      `SELECT 0 AS kind, id, 0 AS session_id, 0 AS seq, workspace_id FROM search_segment ${where}
       UNION ALL SELECT 1 AS kind, entry_id AS id, session_id, seq, workspace_id FROM search_tail ${where}`
    );
    const listed = rows.filter(({ kind }) => kind === 0);
    const segmentIds = listed.map(({ id }) => id);
    const tail = rows.filter(({ kind }) => kind === 1);
    const segments = await this.#segments(segmentIds);
    const parts = segments.map((segment, index) => ({ segment, firstPage: firstPageOf(segmentIds[index] ?? 0) }));
    const pieces = await this.#tailPieces(tail, earlier?.pieces ?? []);
    const sessionsIn = (isWanted) => /* @__PURE__ */ new Set([...segments.flatMap(({ runSession }, index) => isWanted(listed[index]?.workspace_id ?? 0) ? [...runSession] : []), ...tail.filter((row) => isWanted(row.workspace_id)).map((row) => row.session_id)]);
    const settled = where === "" ? /* @__PURE__ */ new Set() : sessionsIn((workspace) => workspace !== 0);
    const unsettled = where === "" ? [] : [...sessionsIn((workspace) => workspace === 0)].filter((session) => !settled.has(session));
    const version = `${versionOfIds(segmentIds)}/${versionOfIds(tail.map(({ id }) => id))}`;
    return { version, view: createView([...parts, ...pieces.map(({ whole }) => whole)], earlier?.view), pieces, settled, unsettled };
  }
  async #segments(ids) {
    const missing2 = ids.filter((id) => this.#heads.peek(id) === void 0);
    const found = /* @__PURE__ */ new Map();
    for (const { id, head } of await this.#database.lookup(tables.searchSegment, { columns: ["id", "head"], key: "id", uncached: true }, missing2)) {
      const segment = decodeHead(head);
      this.#heads.set(id, segment);
      found.set(id, segment);
    }
    return ids.map((id) => {
      const segment = found.get(id) ?? this.#heads.get(id);
      if (segment === void 0) throw new SegmentGone();
      return segment;
    });
  }
  /** The tail as segments in memory: those made earlier of messages that are all still there, and one of what is new. */
  async #tailPieces(tail, earlier) {
    const present = new Set(tail.map(({ id }) => id));
    const intact = earlier.filter(({ ids }) => ids.every((id) => present.has(id)));
    const kept = intact.length >= TAIL_PIECES ? [] : intact;
    const held = new Set(kept.flatMap(({ ids }) => ids));
    const fresh = tail.filter(({ id }) => !held.has(id));
    if (fresh.length === 0) return kept;
    const rows = await this.#database.lookup(tables.searchTail, { columns: ["entry_id", "data"], key: "entry_id" }, fresh.map(({ id }) => id));
    const data = new Map(rows.map(({ entry_id: id, data: bytes }) => [id, bytes]));
    const messages = fresh.map(({ id, session_id: session, seq }) => {
      const bytes = data.get(id);
      if (bytes === void 0) throw new SegmentGone();
      return { session, seq, ...decodeMessage(bytes) };
    });
    return [...kept, { ids: fresh.map(({ id }) => id), whole: buildSegment(messages) }];
  }
  async #read(ids) {
    const pages = /* @__PURE__ */ new Map();
    const missing2 = [];
    for (const id of ids) {
      const page = this.#pages.get(id);
      if (page === void 0) missing2.push(id);
      else pages.set(id, page);
    }
    for (const { id, data } of await this.#database.lookup(tables.searchPage, { columns: ["id", "data"], key: "id", uncached: true }, missing2)) {
      this.#pages.set(id, data);
      pages.set(id, data);
    }
    return pages;
  }
};
var rangeOf = (seqs) => {
  const first = seqs.reduce((least, seq) => Math.min(least, seq), Infinity);
  return { fromSeq: first, limit: seqs.reduce((most, seq) => Math.max(most, seq), 0) - first + 1 };
};
var versionOf2 = (id, from) => `SELECT count(*) || ' ' || COALESCE(max(${id}), 0) || ' ' || COALESCE(sum(${id}), 0) FROM ${from}`;
var versionOfIds = (ids) => `${ids.length} ${ids.reduce((most, id) => Math.max(most, id), 0)} ${ids.reduce((sum, id) => sum + id, 0)}`;

// src/open-store.ts
var openStore = async (address, { onIndexing, indexSizes = INDEX_SIZES } = {}) => {
  const database = await openDatabase(address);
  const upkeep = new IndexUpkeep(database, indexSizes);
  const context = { database, upkeep, labels: new LabelCache(), packs: new PackReader(database), pending: /* @__PURE__ */ new Map() };
  const client = new LazyClient(database);
  const appends = new Appends(context);
  const sessions = new PrismaSessionStorage(context, appends);
  const fill = () => fillIndex(database, sessions, upkeep, onIndexing);
  const source = new SearchSource(database, sessions, fill);
  const notes = new PrismaNoteStorage(database);
  const memory = new PrismaMemoryStorage(database);
  return {
    sessions,
    usage: new PrismaUsageStorage(context),
    imports: new PrismaImportStorage(context),
    search: createSearch(source),
    state: new PrismaStateStorage(client),
    notes,
    memory,
    checkpoints: new PrismaCheckpointStorage(client),
    statistics: () => statistics(context),
    verify: () => verify(context, sessions),
    rebuild: () => rebuild(context, fill),
    reprice: (prices) => reprice(context, prices),
    purge: async () => {
      await upkeep.idle();
      await purge(context);
      source.clear();
    },
    check: () => database.check(),
    onChange: (listener) => database.onChange(listener),
    close: async () => {
      await Promise.all([appends.idle(), notes.idle(), memory.idle()]);
      await client.close();
      await database.close();
    }
  };
};
var openDatabase = async (address) => {
  if (/^postgres(ql)?:\/\//.test(address)) {
    const [{ PostgresDatabase: PostgresDatabase2 }, { migrations: migrations3 }] = await Promise.all([
      Promise.resolve().then(() => (init_postgres_database(), postgres_database_exports)),
      Promise.resolve().then(() => (init_migrations(), migrations_exports))
    ]);
    return PostgresDatabase2.open(address, migrations3);
  }
  if (address.startsWith("file:") && address.length > "file:".length) {
    const [{ SqliteDatabase: SqliteDatabase2 }, { migrations: migrations3 }] = await Promise.all([
      Promise.resolve().then(() => (init_sqlite_database(), sqlite_database_exports)),
      Promise.resolve().then(() => (init_migrations2(), migrations_exports2))
    ]);
    return SqliteDatabase2.open(resolve(address.slice("file:".length)), migrations3);
  }
  throw new CairnError("usage", `"${address}" is not the address of a store: use file:<path> or postgresql://user@host/database.`);
};

// ../../../../tmp/b/m.mjs
var asked = JSON.parse(readFileSync("/tmp/b/questions.json", "utf8"));
var mem = () => {
  const m = process.memoryUsage();
  return `hwm ${(Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024).toFixed(0)} rss ${(m.rss / 2 ** 20).toFixed(0)} heap ${(m.heapUsed / 2 ** 20).toFixed(0)}/${(m.heapTotal / 2 ** 20).toFixed(0)} ext ${(m.external / 2 ** 20).toFixed(0)} ab ${(m.arrayBuffers / 2 ** 20).toFixed(0)}`;
};
console.log("start", mem());
var store = await openStore(process.argv[2]);
await store.search.search({ text: asked[8][0] });
console.log("first", mem());
for (const w of [3, 8, 20]) {
  for (let r = 1; r < 20; r++) await store.search.search({ text: asked[w][r] });
  console.log(w, mem());
}
for (let r = 1; r < 40; r++) await store.search.search({ text: asked[8][r], workspace: "/work/project" + r });
console.log("one", mem());
for (let r = 1; r < 6; r++) await store.search.sessions({ text: asked[12][r] });
console.log("sessions", mem());
for (let r = 0; r < 5; r++) {
  await store.sessions.append({ id: "cairn:q" + r, agent: "cairn", externalId: "q" + r, workspace: "/work/project1" }, 0, [{ entry: { kind: "message", at: 5, id: "m", role: "user", content: [{ type: "text", text: `zyzzyva q${r}` }] } }]);
  await store.search.search({ text: "q" + r });
}
console.log("append", mem());
for (let r = 0; r < 5; r++) await store.sessions.delete("cairn:q" + r);
console.log("delete", mem());
await store.close();
