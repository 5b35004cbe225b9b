//! Won endings are won: king and queen, king and rook, against a defence that a table of
//! all positions calls longest.

use super::matches::{Rom, Seat};
use super::play::SHIPPED;
use super::rules::{moves, read, written};
use cozy_chess::{BitBoard, get_bishop_moves, get_rook_moves};
use cozy_chess::{Board, Color, GameStatus, Move, Piece, Square, get_king_moves};

/// Plies to mate for each position of king and piece against king: of White, who has the
/// piece, to move, and of Black to move. 255: not won.
pub struct Table {
    piece: Piece,
    white: Vec<u8>,
    black: Vec<u8>,
}

const DRAWN: u8 = 255;

fn place(king: Square, piece: Square, bare: Square) -> usize {
    (king as usize) << 12 | (piece as usize) << 6 | bare as usize
}

impl Table {
    /// Of a queen or a rook, from all mates backwards.
    pub fn of(piece: Piece) -> Self {
        let size = 1 << 18;
        let mut table = Self {
            piece,
            white: vec![DRAWN; size],
            black: vec![DRAWN; size],
        };
        let mut fresh = Vec::new();
        for (king, man, bare) in triples() {
            if table.checked(king, man, bare) && table.lost(king, man, bare) {
                table.black[place(king, man, bare)] = 0;
                fresh.push((king, man, bare));
            }
        }
        for plies in (1..).step_by(2) {
            let mut won = Vec::new();
            // White comes to the lost positions from where king or piece can go back to.
            for (king, man, bare) in fresh.drain(..) {
                let others = man.bitboard() | bare.bitboard();
                let kings = (get_king_moves(king) & !others & !get_king_moves(bare)).into_iter();
                let kings = kings.map(|k| (k, man, bare));
                let men = table.reach(man, king.bitboard() | bare.bitboard());
                let men = (men & !king.bitboard() & !bare.bitboard()).into_iter();
                for (k, m, b) in kings.chain(men.map(|m| (king, m, bare))) {
                    let at = place(k, m, b);
                    if table.white[at] == DRAWN && !table.checked(k, m, b) {
                        table.white[at] = plies;
                        won.push((k, m, b));
                    }
                }
            }
            for (king, man, bare) in won {
                for b in get_king_moves(bare) & !king.bitboard() & !man.bitboard() {
                    let at = place(king, man, b);
                    let near = get_king_moves(king).has(b);
                    if table.black[at] == DRAWN && !near && table.lost(king, man, b) {
                        table.black[at] = plies + 1;
                        fresh.push((king, man, b));
                    }
                }
            }
            if fresh.is_empty() {
                break;
            }
        }
        table
    }

    fn reach(&self, man: Square, blockers: BitBoard) -> BitBoard {
        match self.piece {
            Piece::Queen => get_rook_moves(man, blockers) | get_bishop_moves(man, blockers),
            _ => get_rook_moves(man, blockers),
        }
    }

    fn checked(&self, king: Square, man: Square, bare: Square) -> bool {
        self.reach(man, king.bitboard()).has(bare)
    }

    /// Whether Black to move has only moves to positions that White has won, or none
    /// in check.
    fn lost(&self, king: Square, man: Square, bare: Square) -> bool {
        let mut some = self.checked(king, man, bare);
        for to in get_king_moves(bare) & !get_king_moves(king) {
            if to == man {
                return false;
            }
            // The king does not hide behind himself: he has left his square.
            if to == king || self.checked(king, man, to) {
                continue;
            }
            if self.white[place(king, man, to)] == DRAWN {
                return false;
            }
            some = true;
        }
        some
    }

    fn of_board(&self, board: &Board) -> u8 {
        let one = |kind, color| (board.pieces(kind) & board.colors(color)).next_square();
        let king = one(Piece::King, Color::White).expect("a king");
        let bare = one(Piece::King, Color::Black).expect("a king");
        let Some(man) = one(self.piece, Color::White) else {
            return DRAWN;
        };
        match board.side_to_move() {
            Color::White => self.white[place(king, man, bare)],
            Color::Black => self.black[place(king, man, bare)],
        }
    }

    /// The move of the bare king that holds out longest, or that draws.
    fn defence(&self, board: &Board) -> Move {
        let after = |mv: &Move| {
            let mut after = board.clone();
            after.play_unchecked(*mv);
            self.of_board(&after)
        };
        moves(board).into_iter().max_by_key(after).expect("a move")
    }
}

/// Squares of two kings that do not touch and of a piece.
fn triples() -> impl Iterator<Item = (Square, Square, Square)> {
    let all = Square::ALL.into_iter();
    all.flat_map(|king| {
        let apart = !get_king_moves(king) & !king.bitboard();
        let men = Square::ALL.into_iter().filter(move |&man| man != king);
        men.flat_map(move |man| {
            let bare = (apart & !man.bitboard()).into_iter();
            bare.map(move |bare| (king, man, bare))
        })
    })
}

/// Positions that White, to move, has won, the same each time.
fn positions(table: &Table, count: usize) -> Vec<Board> {
    let mut state = 1941_u64;
    let mut out = Vec::new();
    while out.len() < count {
        let mut square = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            Square::index((state >> 33) as usize % 64)
        };
        let (king, man, bare) = (square(), square(), square());
        if king == man || king == bare || man == bare {
            continue;
        }
        let mut lines = [b'1'; 64];
        let letter = if table.piece == Piece::Queen {
            b'Q'
        } else {
            b'R'
        };
        for (at, letter) in [(king, b'K'), (man, letter), (bare, b'k')] {
            lines[(7 - at.rank() as usize) * 8 + at.file() as usize] = letter;
        }
        let rows: Vec<&str> = lines
            .chunks(8)
            .map(|r| std::str::from_utf8(r).expect("ASCII"))
            .collect();
        let fen = format!("{} w - - 0 1", rows.join("/"));
        let Ok(board) = fen.parse::<Board>() else {
            continue;
        };
        if table.of_board(&board) != DRAWN {
            out.push(board);
        }
    }
    out
}

/// Plays a position out: moves of White to mate, or how it ended else.
fn played(seat: &mut Seat, table: &Table, start: &Board) -> Result<usize, String> {
    let mut board = start.clone();
    let mut seen: Vec<u64> = Vec::new();
    seat.place(&board);
    for turn in 0.. {
        seen.push(board.hash());
        if seen.iter().filter(|&&h| h == board.hash()).count() > 2 {
            return Err(format!("the third time: {board}"));
        }
        match board.status() {
            GameStatus::Won => return Ok(turn / 2 + 1),
            GameStatus::Drawn => return Err(format!("drawn: {board}")),
            GameStatus::Ongoing if board.occupied().len() < 3 => {
                return Err(format!("lost the piece: {board}"));
            }
            GameStatus::Ongoing => {}
        }
        let mv = if turn % 2 == 0 {
            let mv = read(seat.moves(None));
            assert!(moves(&board).contains(&mv), "{board}: {mv}");
            mv
        } else {
            let mv = table.defence(&board);
            seat.told(written(&board, mv));
            mv
        };
        board.play(mv);
    }
    unreachable!()
}

/// All of some won positions; what went wrong.
pub fn won(rom: &Rom, piece: Piece, count: usize) -> Vec<String> {
    let table = Table::of(piece);
    let deepest = table.white.iter().filter(|&&p| p != DRAWN).max();
    assert_eq!(deepest, Some(&if piece == Piece::Queen { 19 } else { 31 }));
    let mut faults = Vec::new();
    for start in positions(&table, count) {
        let least = table.of_board(&start).div_ceil(2);
        match played(&mut Seat::new(rom), &table, &start) {
            Ok(turns) => println!("{start}: mate in {turns}, at best {least}"),
            Err(how) => {
                println!("{start}: {how}");
                faults.push(how);
            }
        }
    }
    faults
}

/// The shipped program, with the names that a seat asks for.
fn shipped() -> Rom {
    const NAMES: [&str; 22] = [
        "loop",
        "back",
        "backpage",
        "plays",
        "judge",
        "play",
        "thinks",
        "think",
        "level",
        "deepest",
        "stop",
        "dim",
        "best.from",
        "best.to",
        "best.flag",
        "side",
        "rights",
        "ep",
        "since",
        "came",
        "went",
        "skill",
    ];
    let names = NAMES.map(|name| (name.to_owned(), SHIPPED.value(name)));
    Rom::of(&SHIPPED.image.binary(0), names.into_iter().collect())
}

/// At level 4, which it has at power-on: up to two seconds a move.
#[test]
#[ignore = "slow"]
fn slow_king_and_queen_win() {
    assert_eq!(won(&shipped(), Piece::Queen, 20), Vec::<String>::new());
}

#[test]
#[ignore = "slow"]
fn slow_king_and_rook_win() {
    assert_eq!(won(&shipped(), Piece::Rook, 20), Vec::<String>::new());
}
