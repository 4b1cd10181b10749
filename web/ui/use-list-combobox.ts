import {
  type UseComboboxGetInputPropsReturnValue,
  type UseComboboxGetItemPropsReturnValue,
  type UseComboboxGetMenuPropsReturnValue,
  type UseComboboxState,
  type UseComboboxStateChangeOptions,
  useCombobox,
} from 'downshift';
import type { ChangeEvent, FocusEvent, KeyboardEvent } from 'react';
import { useEarlyInput } from './use-early-input.ts';

export interface ListComboboxOptions<Item> {
  inputId: string;
  items: Item[];
  text: string;
  disabled: boolean;
  /** Whether Enter picks the first item when none is active: only where the visitor has typed something. */
  enterPicksFirst: boolean;
  onText: (text: string) => void;
  onPick: (item: Item) => void;
  /** The visitor leaves the field, having picked or not. */
  onLeave: () => void;
}

export interface ListCombobox<Item> {
  isOpen: boolean;
  inputProps: UseComboboxGetInputPropsReturnValue;
  /** For the listbox, which must always be on the page; `name` is what screen readers call it. */
  listProps: (name: string) => UseComboboxGetMenuPropsReturnValue;
  optionProps: (item: Item) => UseComboboxGetItemPropsReturnValue;
}

/**
 * An editable combobox with a list, as both autocompletes of the form behave. Only a pick counts: leaving
 * the field chooses nothing, and Escape closes the list without taking anything away. The text and what is
 * held belong to the caller; open or closed and the active option are kept here.
 */
export function useListCombobox<Item>(options: ListComboboxOptions<Item>): ListCombobox<Item> {
  const { inputId, items, text, disabled, enterPicksFirst, onText, onPick, onLeave } = options;
  const combobox = useCombobox<Item>({
    inputId,
    items,
    inputValue: text,
    selectedItem: null,
    stateReducer: nextState,
  });
  const { isOpen, highlightedIndex } = combobox;
  useEarlyInput(inputId, text, (typed) => {
    onText(typed);
    if (document.activeElement?.id === inputId) combobox.openMenu();
  });

  function pickByKey(event: KeyboardEvent<HTMLInputElement>) {
    // Enter that ends a composed character is not meant for the list.
    if (event.key !== 'Enter' || !isOpen || event.nativeEvent.isComposing) return;
    const item = highlightedIndex < 0 && enterPicksFirst ? items[0] : items[highlightedIndex];
    if (item !== undefined) onPick(item);
  }

  function readText(event: ChangeEvent<HTMLInputElement>) {
    onText(event.currentTarget.value);
  }

  function leave(event: FocusEvent<HTMLInputElement>) {
    // The input keeps the focus where only the browser's window loses it.
    if (event.currentTarget !== document.activeElement) onLeave();
  }

  return {
    isOpen: isOpen && !disabled,
    inputProps: {
      ...combobox.getInputProps({ disabled, onChange: readText, onKeyDown: pickByKey, onBlur: leave }),
      'aria-labelledby': undefined,
    },
    listProps: (name) => combobox.getMenuProps({ 'aria-label': name, 'aria-labelledby': undefined }),
    optionProps: (item) => combobox.getItemProps({ item, onClick: () => onPick(item) }),
  };
}

function nextState<Item>(
  state: UseComboboxState<Item>,
  { type, changes }: UseComboboxStateChangeOptions<Item>,
): Partial<UseComboboxState<Item>> {
  const held = { ...changes, selectedItem: null };
  return type === useCombobox.stateChangeTypes.InputClick
    ? { ...held, isOpen: true, highlightedIndex: state.isOpen ? state.highlightedIndex : -1 }
    : held;
}
