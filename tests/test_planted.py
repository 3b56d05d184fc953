"""The test of the tests beside the campaign: mistakes in training, optimizers, checkpoints, derivatives of functions,
vmap, drawings, tables and grading, planted one at a time. For each, a quick test is named that must fail."""

import pytest

from tests.planted import Planted, ask, caught, planted

# File, then the test that notices: (old text, new text).
MISTAKES = {
    "minigrad/training/optim.py": {
        "test_optim.py::test_a_step_computes_its_equations_to_the_bit": [
            ('return value - lr * velocity, {0: velocity}', 'return value - lr * (velocity + grad), {0: velocity}'),
            ('velocity = self.momentum * kept[0] + grad', 'velocity = self.momentum * (kept[0] + grad)'),
            ('lr / (1 - beta1 ** (step + 1)), 1 / (1 - beta2', 'lr / (1 - beta1 ** (step + 2)), 1 / (1 - beta2'),
            ('sqrt(square * correction) + self.eps', 'sqrt(square * correction + self.eps)'),
            ('            self.steps += 1\n', '            self.steps += 0\n'),
            ('for _ in range(self.arrays)]', 'for _ in range(1)]'),
        ],
        "test_optim.py::test_adamw_decays_by_the_rate_times_the_decay": [
            ('1 - lr * self.weight_decay', '1 - self.weight_decay'),
        ],
        "test_optim.py::test_a_parameter_that_is_there_twice_gets_a_sentence[eager]": [
            ('if len(set(listed)) < len(listed):', 'if False:'),
        ],
        "test_optim.py::test_clip_by_norm_scales_all_gradients_by_one_factor": [
            ('np.multiply(grad, limit / norm, out=grad)', 'np.multiply(grad, limit / norm * 1.001, out=grad)'),
        ],
        "test_optim.py::test_limited_to_norm_leaves_short_gradients": [
            ('factor = limit / maximum(norm, limit)', 'factor = limit / norm'),
        ],
        "test_finite.py::test_an_optimizer_names_the_parameter_and_changes_none": [
            ('                    update.before.bring_back()', '                    pass'),
        ],
    },
    "minigrad/training/schedules.py": {
        "test_optim.py::test_schedules_give_the_rate_of_each_step": [
            ('lr * (step + 1) / warm', 'lr * step / warm'),
            ('_cosine(lr, steps - warm, last, step - warm)', '_cosine(lr, steps - warm, last, step)'),
            ('min((step + 1) / steps, 1.0)', '(step + 1) / steps'),
            ('math.pi * min(step / steps, 1.0)', 'math.pi * step / steps'),
        ],
    },
    "minigrad/training/train.py": {
        "test_finite.py::test_the_loss_of_an_epoch_is_the_mean_over_rows[eager]": [
            ('weights=sizes', 'weights=None'),
        ],
        "test_train.py::test_the_gradients_of_a_batch_replace_those_of_the_one_before": [
            ('        self.graph.zero_grad()\n', '        pass\n'),
        ],
        "test_compiled_inputs.py::test_fit_stops_at_the_same_batch_with_the_same_weights[{}]": [
            ('if np.isfinite(value):  # else', 'if True:  # else'),
        ],
        "test_train.py::test_clipping_is_applied_before_each_step": [
            ('self.clip(self.parameters)', 'pass'),
        ],
        "test_finite.py::test_fit_ends_before_the_step_with_what_was_there[compiled]": [
            ('done += error.batch * batch_size', 'done += 0'),
        ],
        "test_train.py::test_numbers_that_are_no_classes_have_no_accuracy[False]": [
            ('return float("nan")\n    return float(np.count', 'return 0.0\n    return float(np.count'),
        ],
        "test_train.py::test_predicting_leaves_a_model_as_it_was": [
            ('        model.train(was)', '        model.train(True)'),
        ],
    },
    "minigrad/guards/finite.py": {
        "test_finite.py::test_what_was_infinite_before_is_no_reason": [
            ('~np.isfinite(array) & np.isfinite(numbers)', '~np.isfinite(array)'),
        ],
        "test_finite.py::test_a_place_in_data_of_every_shape": [
            ('int(rows[entry[0]]), entry[1:]', 'int(entry[0]), entry[1:]'),
        ],
        "test_finite.py::test_an_optimizer_names_the_parameter_and_changes_none": [
            ('np.copyto(numbers, array)', 'pass'),
        ],
    },
    "minigrad/training/checkpoint.py": {
        "test_checkpoint.py::test_interrupted_and_continued_is_bit_equal_to_uninterrupted[adam]": [
            ('"steps": self.optimizer.steps', '"steps": 0'),
        ],
        "test_checkpoint.py::test_more_epochs_go_on_where_it_ended": [
            ('generator.bit_generator.state = state', 'pass'),
            ('np.copyto(array, arrays[f"kept.{k}.{name}"])', 'pass'),
        ],
        "test_checkpoint.py::test_interrupted_and_continued_is_bit_equal_to_uninterrupted[numbers of the loss]": [
            ('for part in (model, loss) if isinstance', 'for part in (model,) if isinstance'),
        ],
        "test_finite.py::test_a_fingerprint_looks_at_every_part_of_large_data": [
            ('range(0, len(array), rows)', 'range(0, 1, rows)'),
        ],
        "test_checkpoint.py::test_the_file_of_another_training_is_not_continued[batch_size]": [
            ('if ours.get(name) != theirs.get(name)', 'if False'),
        ],
        "test_checkpoint.py::test_the_file_of_another_training_is_not_continued[it has 2]": [
            ('len(about["epochs"]) > most', 'len(about["epochs"]) > most + 1'),
        ],
    },
    "minigrad/guards/snapshots.py": {
        "test_compiled_changes.py::test_a_snapshot_holds_while_contents_are_the_same": [
            ('value is copy[0] and same_bits', 'same_bits'),
            ('and self._training == [', 'or self._training == ['),
            ('copy[0] is type(value) and len(value)', 'len(value)'),
        ],
        "test_changes.py::test_a_change_in_place_is_noticed_and_none_is_not": [
            ('repr(value) == repr(copy))', 'value == copy)'),
            ('list(value) == list(copy) and', 'len(value) == len(copy) and'),
            ('return np.array(value, order="C")', 'return value'),
        ],
    },
    "minigrad/core/functional.py": {
        "test_functional.py::test_argnums_choose_what_is_differentiated_by": [
            ('return value, tuple(gradient) if several else gradient[0]', 'return value, gradient[0]'),
        ],
        "test_functional.py::test_the_mode_with_fewer_passes_is_chosen": [
            ('columns <= rows', 'columns > rows'),
        ],
        "test_functional.py::test_the_jacobian_of_a_linear_map_is_its_matrix": [
            ('unit.reshape(-1)[k] = 1', 'unit.reshape(-1)[k] = 2'),
            ('shape_of(side) + shape_of(other) if axis == 0', 'shape_of(other) + shape_of(side) if axis == 0'),
        ],
        "test_functional.py::test_a_vjp_is_one_walk_back_whatever_the_number_of_outputs": [
            ('start[y] + seed_node(y, seed) if y in start else', 'seed_node(y, seed) if y in start else'),
        ],
        "test_functional.py::test_forward_mode_goes_through_the_adjoint_of_a_vjp": [
            ('by_seed = _pulled_back([*y], [*u_tangent], nodes) if moving[1]',
             'by_seed = _pulled_back([*y], [*u_tangent], nodes) if False'),
        ],
        "test_functional.py::test_three_derivatives_nested_in_any_order": [
            ('by_output = _pulled_back([*y_tangent], [*u], nodes) if moving[0]',
             'by_output = _pulled_back([*y_tangent], [*u], nodes) if False'),
        ],
        "test_functional.py::test_grad_gives_plain_numbers_in_the_argument_s_shape_and_dtype": [
            ('            node.open = False', '            pass'),
        ],
    },
    "minigrad/loops/batching.py": {
        "test_vmap.py::test_numpys_functions_and_methods_arrive": [
            ('tuple(k + 1 for k in op.axes), op.keepdims', 'tuple(op.axes), op.keepdims'),
            ('Concatenate(op.axis + 1)', 'Concatenate(op.axis)'),
        ],
        "test_vmap.py::test_every_operation_is_for_many_what_it_is_for_each[transpose]": [
            ('(0, *(k + 1 for k in op.axes))', '(0, *(len(op.axes) - k for k in range(len(op.axes))))'),
        ],
        "test_vmap.py::test_every_operation_is_for_many_what_it_is_for_each[pad]": [
            ('Pad(((0, 0), *op.widths), op.fill)', 'Pad(((0, 0), *op.widths), 0)'),
        ],
        "test_vmap.py::test_forward_mode_and_vjp_of_every_operation_inside_vmap[softmax_cross]": [
            ('return reshape(result, shape_of(logits)) * n', 'return reshape(result, shape_of(logits))'),
        ],
        "test_vmap.py::test_every_operation_is_for_many_what_it_is_for_each[conv2d]": [
            ('np.arange(count) * stride', 'np.arange(count)'),
        ],
        "test_vmap.py::test_every_operation_is_for_many_what_it_is_for_each[add]": [
            ('(shape[0], *(1,) * (rank + 1 - len(shape)), *shape[1:])', '(*shape, *(1,) * (rank + 1 - len(shape)))'),
        ],
        "test_vmap.py::test_the_axis_of_the_examples_is_never_taken_for_one_of_theirs": [
            ('if len(shape_of(inputs[0])) <= op.axes:', 'if False:'),
        ],
    },
    "minigrad/core/dual.py": {
        "test_functional.py::test_forward_mode_through_argument_and_adjoint_of_a_vjp_together": [
            ('y.tag == tag:\n        return y._value, y._tangent', 'True:\n        return y._value, y._tangent'),
        ],
    },
    "minigrad_course/viz/boxes.py": {
        "test_viz.py::test_pictures_are_those_that_were_read": [
            ('names[box] = name if seen[name] == 1 else _free(name, taken)', 'names[box] = name'),
            ('    number = 2\n', '    number = 1\n'),
            ('rows.append(("shape", str(node.shape)))', 'rows.append(("shape", str(node.shape[::-1])))'),
            ("{'' if count == 1 else 's'}", 's'),
            ('[*inputs[:2], "…", inputs[-1]]', '[*inputs[:2], "…", inputs[0]]'),
            ('re.match(r"-[\\d.]", names[k])', 're.match(r"never", names[k])'),
        ],
        "test_viz.py::test_adjoints_can_be_left_out_and_are_absent_before_backward": [
            ('if adjoints and node.adjoint is not None:', 'if node.adjoint is not None:'),
        ],
    },
    "minigrad_course/trace/derive.py": {
        "test_trace.py::test_the_reverse_table_as_text": [
            ('sign = "+=" if x in adjoints else "="', 'sign = "="'),
            ('if np.any(weight):', 'if True:'),
            ('return Table(below[::-1]', 'return Table(below'),
            ('adjoints[x] + amount if x in adjoints', 'amount if x in adjoints'),
        ],
        "test_trace.py::test_rows_link_to_the_graph_and_to_the_line": [
            ('        row.step = step', '        row.step = len(below) - step'),
        ],
        "test_trace.py::test_a_share_that_was_broadcast_is_a_sum_in_its_formula": [
            ('template = call("sum", template)', 'pass'),
        ],
        "test_trace.py::test_the_forward_table_as_text": [
            ('note.append("seed")', 'pass'),
        ],
        "test_trace.py::test_a_branch_goes_where_the_value_of_this_run_says_and_the_table_tells_it": [
            ("{'true' if went else 'false'}", "{'true' if not went else 'false'}"),
        ],
    },
    "minigrad_course/grading/sheet.py": {
        "test_grading_hints.py::test_what_a_sheet_makes_of_an_outcome": [
            ('return outcome.error  # its text', 'return None  # its text'),
            ('if lines in entry.hints and not', 'if False and not'),
        ],
        "test_grading_hints.py::test_a_hint_is_given_where_most_lines_agree": [
            ('best >= ALIKE and len(nearest) == 1', 'len(nearest) == 1'),
            ('if alike == best}', '}'),
        ],
        "test_grading_hints.py::test_the_lines_of_all_tests_decide_between_mistakes_that_the_public_ones_confuse": [
            ('return bool(known) and max(known)', 'return False and max(known)'),
            ('if both < PART * len(a) and', 'if False and'),
            ('if asked & _single(text)]', 'if not asked & _single(text)]'),
        ],
        "test_grading_hints.py::test_mistakes_that_share_the_first_wrong_number_are_told_apart_by_all_numbers": [
            ('return marked(line, mark) if is_exact', 'return line if is_exact'),
            ('both = (1 - HALF) * len(a & b) + HALF *', 'both ='),
        ],
        "test_grading_hints.py::test_lines_that_differ_between_machines_are_known_by_no_slip": [
            ('abs(float(number)) < 1e-6 for', 'abs(float(number)) < 1e-30 for'),
        ],
        "test_grading_hints.py::test_the_advice_of_a_test_ends_with_its_comment": [
            ('if words and not line.startswith("#"):', 'if False:'),
        ],
    },
    "minigrad_course/grading/likeness.py": {
        "test_grading_hints.py::test_a_sum_of_shares_is_recognized": [
            ('if _near(got, -right):', 'if False:'),
            ('_near(got, right - 2 * term)', '_near(got, right + 2 * term)'),
            ('return "that is one share alone"', 'return "one share is missing"'),
        ],
        "test_grading_hints.py::test_a_relative_of_the_right_answer_is_recognized": [
            ('_same(got.T, want):\n        yield "it is the transpose',
             '_same(got, want):\n        yield "it is the transpose'),
            ('_same(got * want, np.ones(want.shape))', 'False'),
            ('_same(got, want * want)', '_same(got, want + want)'),
            ('np.roll(want, step, axis), got', 'np.roll(want, 2 * step, axis), got'),
            ('if wrong.sum() == 1:', 'if wrong.sum() == 0:'),
            ('np.cumsum(want), got', 'np.cumsum(got), want'),
            ('(want.mean(), "their mean")', '(want.max(), "their mean")'),
        ],
    },
}  # fmt: skip
ROWS = {
    file: [Planted(file, old, new, test) for test, pairs in tests.items() for old, new in pairs]
    for file, tests in MISTAKES.items()
}


@pytest.mark.parametrize("file", ROWS)
def test_every_planted_mistake_is_caught(file, count):
    """Before it is planted and when it is gone again, the same test passes: so it is the mistake that it notices."""
    for test in dict.fromkeys(row.test for row in ROWS[file]):
        ask(test)
    survived = [row for row in ROWS[file] if not caught(row)]
    for test in dict.fromkeys(row.test for row in ROWS[file]):
        ask(test)
    count("mistakes planted beside the campaign", len(ROWS[file]))
    count("mistakes caught beside the campaign", len(ROWS[file]) - len(survived))
    assert survived == []


def test_a_line_that_is_no_longer_there_is_an_error():
    with pytest.raises(AssertionError, match=r"minigrad/training/optim.py has `no such line` 0 times: bring the table"):
        caught(
            Planted(
                "minigrad/training/optim.py", "no such line", "", "test_optim.py::test_parameters_may_come_one_by_one"
            )
        )
    twice = Planted("minigrad/training/optim.py", "import", "", "")
    with pytest.raises(AssertionError, match=r"has `import` \d+ times"), planted(twice):
        pass


def test_a_test_that_asks_nothing_is_an_error():
    with pytest.raises(AssertionError, match="asks nothing"):
        ask("test_train.py::test_predicting_leaves_a_model_as_it_was[neither]")
