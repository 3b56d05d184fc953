"""Lesson 03 in JupyterLab: questions, a guess, and columns that fill."""

import pytest

expect = pytest.importorskip("playwright.sync_api").expect


def test_lesson_03_is_answered_by_keys(lab):
    lab.open("notebooks/03_tracing_forwards.ipynb")
    asked = lab.page.locator(".jp-CodeCell").filter(has=lab.page.locator(".jp-Placeholder"))
    recall, guess = asked.nth(1), asked.nth(2)
    lab.cell("import minigrad as mg").locator(".jp-InputArea-editor").click()
    for _ in range(3):
        lab.page.keyboard.press("Shift+Enter")
    field = recall.get_by_label("Your answer")
    expect(recall).to_contain_text("1 of 5, from lesson 02.")
    lab.shot("lesson-03-recall", recall)
    field.click()
    for number in range(1, 6):
        expect(recall).to_contain_text(f"{number} of 5, from lesson")
        lab.page.keyboard.press("1")
        expect(recall.locator(".minigrad-guess")).to_have_count(number)
    expect(recall).to_contain_text("of 5 right.")
    lab.shot("lesson-03-recalled", recall)
    lines = (lab.server.root / ".minigrad" / "recall.jsonl").read_text(encoding="utf-8").split("\n")[1:]
    assert len(lines) == 5

    lab.page.locator(".jp-MarkdownCell h2").get_by_text("What did the program do?").click()
    for _ in range(2):
        lab.page.keyboard.press("Shift+Enter")
    field = guess.get_by_label("Your guess")
    field.fill("a few")
    field.press("Enter")
    expect(guess).to_contain_text("Write a number")
    field.fill("6")
    field.press("Enter")
    expect(guess).to_contain_text("Kept")
    lab.shot("lesson-03-guess", guess)
    result = lab.run("t = mg.trace(twice, 3.0, 4.0)")
    expect(result).to_contain_text("You guessed: 6 names. It is: 8 names. Your guess was 25 % too small.")
    lab.shot("lesson-03-guessed", result)

    lab.theme("dark")
    lab.page.set_viewport_size({"width": 900, "height": 1000})
    lab.shot("lesson-03-recalled-dark", recall)
    lab.run_all()  # without further guesses, and none of them is in the way
    expect(lab.page.locator(".minigrad-guess")).to_have_count(0)
    expect(lab.page.get_by_text("What surprised you.")).to_be_visible()
    lab.shot("lesson-03-surprises", lab.page.get_by_text("What surprised you.").locator(".."))
    expect(recall).to_contain_text("1 of 5, from lesson")  # others
    lab.shot("lesson-03-recall-dark", recall)

    lab.page.set_viewport_size({"width": 1400, "height": 1000})
    views = lab.cell('mode="forward"').locator(".mgx")
    entries = views.get_by_role("region", name="Jacobian").locator("td")
    views.get_by_role("button", name="Jacobian", exact=True).click()
    lab.slide(views, "PageDown", "PageDown")
    expect(entries).to_contain_text(["8", "·", "2", "·"])
    lab.shot("lesson-03-explore", views)
    lab.slide(views, "End")
    expect(entries).to_contain_text(["8", "6", "2", "2"])
