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
  /** Loads what the list needs. Called on each sign that it will be needed. */
  preload: () => void;
  /** Whether `resolveText` can work. A text that was left earlier is resolved once this turns true. */
  isReady: boolean;
  /** Whether Enter picks the first item if none is active: only after the visitor has typed something. */
  enterPicksFirst: boolean;
  onText: (text: string) => void;
  onPick: (item: Item) => void;
  /** Picks the one item that the text names. Returns false if the text names none or is ambiguous. */
  resolveText: () => boolean;
  /** The visitor left the field with a text that names no item, or pressed Enter on it while the list was empty. */
  onUnresolved: () => void;
}

export interface ListCombobox<Item> {
  isOpen: boolean;
  /** Whether the field was left, or Enter pressed, with a text that names no item, and the text is unedited since. */
  isUnresolved: boolean;
  inputProps: UseComboboxGetInputPropsReturnValue;
  /** For the listbox, which must always be rendered; `name` is its accessible name. */
  listProps: (name: string) => UseComboboxGetMenuPropsReturnValue;
  optionProps: (item: Item) => UseComboboxGetItemPropsReturnValue;
}

/** The key code of every key press in a composition. */
const COMPOSITION_KEY_CODE = 229;

/**
 * An editable combobox with a list: the behaviour of both autocompletes of the form. It picks an item by choice, or by a
 * text that names one item when the field is left. Escape closes the list and clears nothing. The caller keeps the text
 * and the selection; the combobox keeps whether it is open and the active option.
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

  // A field that had the focus before hydration fires no other event.
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
    if (event.key !== 'Enter') return;
    // Enter that ends a composition is not meant for the list or the form. Safari reports it only by its key code.
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSITION_KEY_CODE) {
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
      return;
    }
    const active = isOpen ? items[highlightedIndex] : undefined;
    if (active !== undefined) return pick(active);
    if (!enterPicksFirst) return;
    // The form must not be submitted with a text that is about to be replaced.
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
    // If only the browser's window loses the focus, the input stays the active element.
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
 * Runs work at once, or at the end of a press in progress: a message below a field moves the elements under it, and a
 * press must end where it began to count as a click.
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
