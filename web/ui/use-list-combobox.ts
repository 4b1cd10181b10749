import {
  type UseComboboxGetInputPropsReturnValue,
  type UseComboboxGetItemPropsReturnValue,
  type UseComboboxGetMenuPropsReturnValue,
  type UseComboboxState,
  type UseComboboxStateChangeOptions,
  useCombobox,
} from 'downshift';
import {
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useInputBeforeHydration } from './use-input-before-hydration.ts';

export interface ListComboboxOptions<Item> {
  inputId: string;
  items: Item[];
  text: string;
  disabled: boolean;
  /** Fetches what the list needs: called on each sign that it will be wanted. */
  preload: () => void;
  /** Whether what `takeNamed` needs is here; a text that was left before is looked at once it is. */
  isReady: boolean;
  /** Whether Enter picks the first item when none is active: only where the visitor has typed something. */
  enterPicksFirst: boolean;
  onText: (text: string) => void;
  onPick: (item: Item) => void;
  /** Takes what the text names, where it names one thing, and says whether it did. */
  resolveText: () => boolean;
  /** The visitor leaves the field with a text that names nothing, or presses Enter on one and the list is empty. */
  onUnresolved: () => void;
}

export interface ListCombobox<Item> {
  isOpen: boolean;
  /** Whether the field was left, or Enter pressed, with a text that names nothing and has not been edited since. */
  isUnresolved: boolean;
  inputProps: UseComboboxGetInputPropsReturnValue;
  /** For the listbox, which must always be on the page; `name` is what screen readers call it. */
  listProps: (name: string) => UseComboboxGetMenuPropsReturnValue;
  optionProps: (item: Item) => UseComboboxGetItemPropsReturnValue;
}

/**
 * An editable combobox with a list, as both autocompletes of the form behave. A pick counts, and a text that names
 * one thing when the field is left; Escape closes the list without taking anything away. The text and what is held
 * belong to the caller; open or closed and the active option are kept here.
 */
export function useListCombobox<Item>(options: ListComboboxOptions<Item>): ListCombobox<Item> {
  const {
    inputId,
    items,
    text,
    disabled,
    isReady,
    enterPicksFirst,
    preload,
    resolveText: takeNamed,
  } = options;
  const [isUnnamed, setUnnamed] = useState(false);
  const combobox = useCombobox<Item>({
    inputId,
    items,
    inputValue: text,
    selectedItem: null,
    stateReducer: nextState,
  });
  const { isOpen, highlightedIndex } = combobox;
  useInputBeforeHydration(inputId, text, (typed) => {
    preload();
    options.onText(typed);
    if (document.activeElement?.id === inputId) combobox.openMenu();
  });

  // A field that had the focus before its script was here tells of nothing else.
  useEffect(() => {
    if (isOpen) preload();
  }, [isOpen, preload]);
  const afterPress = useAfterPress();
  useOnceReady(isReady, () => {
    if (isUnnamed) takeNamed();
  });

  function pick(item: Item) {
    setUnnamed(false);
    options.onPick(item);
  }

  function refuse() {
    setUnnamed(true);
    options.onUnresolved();
  }

  function pickByKey(event: KeyboardEvent<HTMLInputElement>) {
    // Enter that ends a composed character is not meant for the list.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    const active = isOpen ? items[highlightedIndex] : undefined;
    if (active !== undefined) return pick(active);
    if (!enterPicksFirst) return;
    // The form is not sent with a text that is about to give way to something else.
    event.preventDefault();
    const [first] = items;
    if (takeNamed()) return;
    if (isOpen && first !== undefined) pick(first);
    else refuse();
  }

  function readText(event: ChangeEvent<HTMLInputElement>) {
    setUnnamed(false);
    options.onText(event.currentTarget.value);
  }

  function leave(event: FocusEvent<HTMLInputElement>) {
    // The input keeps the focus where only the browser's window loses it.
    if (event.currentTarget === document.activeElement) return;
    if (!takeNamed()) afterPress(refuse);
  }

  return {
    isOpen: isOpen && !disabled,
    isUnresolved: isUnnamed,
    inputProps: {
      ...combobox.getInputProps({
        disabled,
        onChange: readText,
        onKeyDown: pickByKey,
        onBlur: leave,
        onPointerEnter: preload,
      }),
      'aria-labelledby': undefined,
    },
    listProps: (name) => combobox.getMenuProps({ 'aria-label': name, 'aria-labelledby': undefined }),
    optionProps: (item) => combobox.getItemProps({ item, onClick: () => pick(item) }),
  };
}

/** Calls `onReady` when `isReady` turns true: the list may arrive after the visitor has typed and moved on. */
function useOnceReady(isReady: boolean, onReady: () => void): void {
  const run = useEffectEvent(onReady);
  useEffect(() => {
    if (isReady) run();
  }, [isReady]);
}

/**
 * Does work at once, or as soon as a press has ended that is under way: what is said below a field moves what stands
 * under it, and a press must end where it began to be a click.
 */
function useAfterPress(): (work: () => void) => void {
  const isPressed = useRef(false);
  const waiting = useRef<(() => void) | null>(null);
  useEffect(() => {
    const press = () => {
      isPressed.current = true;
    };
    const release = () => {
      isPressed.current = false;
      waiting.current?.();
      waiting.current = null;
    };
    addEventListener('mousedown', press, true);
    addEventListener('mouseup', release, true);
    return () => {
      removeEventListener('mousedown', press, true);
      removeEventListener('mouseup', release, true);
    };
  }, []);
  return (work) => {
    if (isPressed.current) waiting.current = work;
    else work();
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
