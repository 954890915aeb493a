// The texts of an empty library: folders, and what to do next.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  folderCount, folderName, nextSteps, startLabel,
} from "../../../../Sources/Server/Page/files/views/folders.js";
import english from "../../../../Sources/Server/Page/files/words/en.js";
import { speech } from "../../../../Sources/Server/Page/files/words/speech.js";

const words = speech(english, "en-GB");

test("a folder is named by its path where it may be known, else by its name", () => {
  assert.equal(folderName({ name: ["EOS", "DCIM"] }, words.say), "EOS · DCIM");
  assert.equal(folderName({ name: ["Pictures"], path: "/home/me/Pictures" }, words.say), "/home/me/Pictures");
});

test("the number of photos is a lower limit where the look ended early", () => {
  const whole = { photos: 1200, isWhole: true, isReadable: true };
  assert.equal(folderCount(whole, words), "1,200 photos");
  assert.equal(folderCount({ ...whole, isWhole: false }, words), "more than 1,200 photos");
  assert.equal(folderCount({ ...whole, isReadable: false }, words), "This folder cannot be read");
});

test("the button says how many photos are chosen, unless a folder is typed", () => {
  const folders = [{ photos: 4000 }, { photos: 60 }];
  assert.equal(startLabel(folders, "", words), "Find the places of 4,060 photos");
  assert.equal(startLabel([{ photos: 1 }], "", words), "Find the place of 1 photo");
  assert.equal(startLabel(folders, "/photos", words), "Find the places of these photos");
});

test("only the steps that apply are named", () => {
  const kinds = (facts) => nextSteps(facts, words).map(({ kind }) => kind);
  const result = { withoutPosition: 0, unread: 0 };
  assert.deepEqual(kinds({ result, spots: 5, near: 0 }), ["phone"]);
  assert.deepEqual(kinds({ result: { withoutPosition: 3, unread: 1 }, spots: 5, near: 2 }),
    ["without", "unread", "phone", "again"]);
  const [first] = nextSteps({ result: { withoutPosition: 1351, unread: 0 }, spots: 1, near: 0 }, words);
  assert.equal(first.title, "1,351 photos have no place");
});
